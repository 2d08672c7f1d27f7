"""What hosts share: answers of tools, boot files, what the statements about one NIC claim, and how its facts follow."""
