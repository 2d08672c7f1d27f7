"""What a repository holds besides configurations: templates, playbooks, scripts and settings, and what they plainly say."""
