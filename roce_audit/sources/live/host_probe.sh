#!/bin/sh
# roce-audit host-probe: what one host says of its RoCE settings, as one bundle on standard output.
#   ssh HOST 'sudo -n sh -s' < host-probe.sh > HOST.txt
# It only reads: no file is written, no module loaded, no folder made, no setting touched. It runs as any user;
# without root the firmware settings, debugfs and some boot files are missing, and the bundle says so.
#   ROCE_BUDGET=SECONDS   time for the whole run
#   ROCE_TIMEOUT=SECONDS  time for one command
#   ROCE_ROOT=FOLDER      where /sys, /proc, /etc and so on are
LC_ALL=C
LANG=C
PATH=${PATH:-/usr/bin:/bin}:/usr/sbin:/sbin:/usr/local/bin:/usr/local/sbin@FOLDERS@
export LC_ALL LANG PATH
BUDGET=${ROCE_BUDGET:-@BUDGET@}
TIMEOUT=${ROCE_TIMEOUT:-@TIMEOUT@}
ROOT=${ROCE_ROOT:-}
ROOT=${ROOT%/}
LARGEST=4000000
LONGEST=100000
START=$(date +%s)
MARK=@@@$$-$START-
SECTIONS=0

# ---------------------------------------------------------------------------------------------------------- sections

# A command that hangs must not stop the run. Coreutils and busybox disagree on the options of timeout; where there is
# none, a guard in the background does its work.
if timeout -k 1 5 true 2>/dev/null; then
  limited() { timeout -k 2 "$TIMEOUT" "$@"; }
elif timeout 5 true 2>/dev/null; then
  limited() { timeout "$TIMEOUT" "$@"; }
else
  limited() {
    "$@" &
    child=$!
    (
      waited=0
      while [ "$waited" -lt "$TIMEOUT" ]; do
        sleep 1
        kill -0 "$child" || exit 0
        waited=$((waited + 1))
      done
      kill "$child"
    ) >/dev/null 2>&1 3>&- &
    guard=$!
    wait "$child"
    ended=$?
    kill "$guard" 2>/dev/null
    return "$ended"
  }
fi

in_time() { [ $(($(date +%s) - START)) -lt "$BUDGET" ]; }

# What a section is made of. Input: standard output, the mark with the exit status, standard error. Output: each line
# behind | or !, so that no answer can look like a frame; then exit status and length, so that a lost line is noticed.
# Only printable ASCII leaves: it passes any terminal, and its length is the same everywhere.
frame() {
  awk -v mark="$MARK" -v largest="$LARGEST" '
    function put(text) {
      gsub(/[^\t -~]/, "?", text)
      if (size + length(text) + 1 > largest) { cut = 1; return }
      size += length(text) + 1
      print text
    }
    { sub(/\r$/, "") }
    behind { put("!" $0); next }
    index($0, mark) == 1 { if (held && last != "") put("|" last); status = substr($0, length(mark) + 1); behind = 1; next }
    { if (held) put("|" last); last = $0; held = 1 }
    END { print "@@ E " (cut ? 141 : status) " " size + 0 }'
}

# left_out ID ABOUT WHY COMMAND...: a section that is not there, and why
left_out() {
  SECTIONS=$((SECTIONS + 1))
  printf '@@ S %s %s %s' "$1" "$2" "$3"
  shift 3
  printf ' %s' "$@"
  echo
}

# begun ID ABOUT COMMAND...: whether there is time for this section; begins it
begun() {
  if ! in_time; then
    id=$1
    about=$2
    shift 2
    left_out "$id" "$about" no-time "$@"
    return 1
  fi
  SECTIONS=$((SECTIONS + 1))
  printf '@@ B %s %s' "$1" "$2"
  shift 2
  printf ' %s' "$@"
  echo
}

# run ID ABOUT COMMAND...: one command and its answer
run() {
  if ! command -v "$3" >/dev/null 2>&1; then
    id=$1
    about=$2
    shift 2
    left_out "$id" "$about" no-tool "$@"
    return
  fi
  begun "$@" || return
  shift 2
  {
    said=$({ limited "$@" </dev/null; } 2>&1 1>&3 3>&-)
    printf '\n%s%s\n' "$MARK" "$?"
    [ -z "$said" ] || printf '%s\n' "$said"
  } 3>&1 | frame
}

# told ID FUNCTION: what a function of this script prints
told() {
  begun "$1" - sh -c "$2" || return
  {
    "$2"
    printf '\n%s0\n' "$MARK"
  } </dev/null 2>/dev/null | frame
}

# Input: paths, the mark, and what grep -H says of these files. Output for frame: `path:line`, and `path:` for a file without
# a line; behind the mark `path:why` for one that cannot be read, or is too long. What may be a secret does not leave the host.
name_lines() {
  awk -v mark="$MARK" -v root="$ROOT" -v longest="$LONGEST" -v all="$1" '
    function shown(path) {
      path = substr(path, length(root) + 1)
      gsub(/[ \t]/, "?", path)
      return path
    }
    function harmless(text,   low, depth) {
      low = tolower(text)
      depth = match(text, /[^ \t]/)
      if (low ~ /-----begin /) within = 1
      if (within) {
        if (low ~ /-----end /) within = 0
        return "<redacted>"
      }
      if (hidden && depth > hidden) return "<redacted>"
      hidden = 0
      if (low ~ /passw|passphrase|sshpass|psk|secret|token|bearer|authorization|credential|api.?key|access.?key|private.?key|preshared|wep-key|auth.?key|community|(curl|wget|mysql).* (-u|-p|--user|--password)/) {
        hidden = depth
        return (match(text, /[=:]/) ? substr(text, 1, RSTART) : "") "<redacted>"
      }
      gsub(/:\/\/[^\/@ ]*@/, "://<redacted>@", text)
      return text
    }
    BEGIN { at = 1 }
    index($0, mark) == 1 { listed = 1; next }
    !listed { name[++count] = $0; next }
    {
      for (i = at; i <= count; i++) if (index($0, name[i] ":") == 1) break
      if (i <= count) {
        if (i != at) within = hidden = 0
        at = i
        seen[at] = 1
        size[at] += length($0) - length(name[at])
        if (size[at] > longest) why[at] = "the rest is left out"
        else print shown(name[at]) ":" harmless(substr($0, length(name[at]) + 2))
      } else {
        for (i = 1; i <= count; i++)
          if (index($0, name[i] ": ")) why[i] = substr($0, index($0, name[i]) + length(name[i]) + 2)
      }
    }
    END {
      for (i = 1; i <= count; i++) if (all && !seen[i] && !(i in why)) print shown(name[i]) ":"
      print "\n" mark "0"
      for (i = 1; i <= count; i++) if (i in why) print shown(name[i]) ":" why[i]
    }'
}

# lines ID ABOUT PATTERN PATH...: the lines of these files that match; an empty pattern means all of them
lines() {
  id=$1
  about=$2
  pattern=$3
  shift 3
  for path do
    shift
    [ -f "$path" ] && set -- "$@" "$path"
  done
  [ $# -gt 0 ] && begun "$id" "$about" files || return
  {
    printf '%s\n' "$@" "$MARK"
    limited grep -HE "$pattern" "$@" /dev/null </dev/null 2>&1
  } | name_lines "$([ -n "$pattern" ] || echo 1)" | frame
}

files() {
  id=$1
  about=$2
  shift 2
  lines "$id" "$about" '' "$@"
}

# ---------------------------------------------------------------------------------------------- what the platforms ask

of_host() {
  :
@HOST@
}
of_netdev() {
  :
@DEV@
}
of_rdma() {
  :
@RDMA@
}
of_pci() {
  :
@PCI@
}
slowly_of_host() {
  :
@SLOW_HOST@
}
slowly_of_netdev() {
  :
@SLOW_DEV@
}
slowly_of_rdma() {
  :
@SLOW_RDMA@
}
slowly_of_pci() {
  :
@SLOW_PCI@
}

# --------------------------------------------------------------------------------------------------------- the devices

# Network devices on the PCI bus, and RDMA devices; without virtual functions and representors.
NETDEVS=
for path in "$ROOT"/sys/class/net/*; do
  [ -f "$path/device/vendor" ] && ! [ -e "$path/device/physfn" ] || continue
  port=
  [ -f "$path/phys_port_name" ] && read -r port 2>/dev/null <"$path/phys_port_name"
  case $port in
  *pf[0-9]*vf[0-9]* | *pf[0-9]*sf[0-9]*) ;;
  *) NETDEVS="$NETDEVS ${path##*/}" ;;
  esac
done
RDMAS=
for path in "$ROOT"/sys/class/infiniband/*; do
  [ -d "$path" ] && ! [ -e "$path/device/physfn" ] && RDMAS="$RDMAS ${path##*/}"
done

# of FOLDER: sets the PCI vendor and address of a device
of() {
  VENDOR=
  [ -f "$1/device/vendor" ] && read -r VENDOR 2>/dev/null <"$1/device/vendor"
  VENDOR=${VENDOR#0x}
  PCI=$(grep -h '^PCI_SLOT_NAME=' "$1/device/uevent" 2>/dev/null)
  PCI=${PCI#*=}
}

each_netdev() {
  for DEV in $NETDEVS; do
    of "$ROOT/sys/class/net/$DEV"
    "$1"
  done
}

each_rdma() {
  for RDMA in $RDMAS; do
    of "$ROOT/sys/class/infiniband/$RDMA"
    "$1"
  done
}

each_pci() {
  done_before=' '
  for folder in $(for DEV in $NETDEVS; do echo "net/$DEV"; done; for RDMA in $RDMAS; do echo "infiniband/$RDMA"; done); do
    of "$ROOT/sys/class/$folder"
    case $done_before in *" $PCI "*) continue ;; esac
    done_before="$done_before$PCI "
    [ -z "$PCI" ] || "$1"
  done
}

# ----------------------------------------------------------------------------------------- the application and the boot

VARIABLES='(NCCL|RCCL|UCX|NVSHMEM|ROCSHMEM|GLOO|FI|OMPI_MCA|PMIX_MCA|MORI|DEEPEP)_[A-Za-z0-9_]*'
TOOLS='@TOOLS@'

services() {
  for unit in lldpad lldpd kubelet openibd NetworkManager systemd-networkd networking cloud-init puppet chef-client salt-minion; do
    active=$(limited systemctl is-active "$unit" | head -n 1)
    enabled=$(limited systemctl is-enabled "$unit" | head -n 1)
    echo "$unit ${active:-unknown} ${enabled:-unknown}"
  done
}

# Listed even where there is none: then it is known that the host has no RDMA device.
rdma_devices() {
  for path in "$ROOT"/sys/class/infiniband/*; do
    [ -e "$path" ] && echo "${path##*/}"
  done
}

library_variables() { env | grep -E "^$VARIABLES=" | sort; }

# Which places of boot files were read whole: what stands in none of them is not set up at boot.
boot_places() {
  for place in netplan NetworkManager/system-connections NetworkManager/dispatcher.d systemd/network systemd/system udev/rules.d \
    network networkd-dispatcher sysconfig/network-scripts sysconfig/network modprobe.d rc.local rc.d/rc.local crontab cron.d; do
    seen_whole "/etc/$place"
  done
  seen_whole /run/systemd/network
  seen_whole /usr/lib/systemd/network
  seen_whole /var/spool/cron
}

seen_whole() {
  if ! [ -e "$ROOT$1" ]; then
    echo "$1 none"
    return
  fi
  for path in "$ROOT$1" "$ROOT$1"/* "$ROOT$1"/*/*; do
    if [ -e "$path" ] && ! [ -r "$path" ]; then
      echo "$1 hidden"
      return
    fi
  done
  echo "$1 read"
}

# Files that a boot runs.
boot_files() {
  for path in "$ROOT"/etc/systemd/system/*.service "$ROOT"/etc/systemd/system/*/*.service "$ROOT"/etc/systemd/system/*.service.d/* \
    "$ROOT"/etc/udev/rules.d/* "$ROOT"/usr/lib/udev/rules.d/* "$ROOT"/etc/NetworkManager/dispatcher.d/* "$ROOT"/etc/NetworkManager/dispatcher.d/*/* \
    "$ROOT"/etc/networkd-dispatcher/*/* "$ROOT"/etc/network/if-*.d/* "$ROOT"/etc/rc.local "$ROOT"/etc/rc.d/rc.local \
    "$ROOT"/etc/crontab "$ROOT"/etc/cron.d/* "$ROOT"/var/spool/cron/* "$ROOT"/var/spool/cron/crontabs/* "$ROOT"/etc/cloud/cloud.cfg.d/*; do
    [ -f "$path" ] && [ -r "$path" ] && echo "$path"
  done
}

# called PATH...: the scripts that these files call, but for the tools themselves, of which some are scripts
called() {
  for path in "$ROOT"/usr/local/sbin/* "$ROOT"/usr/local/bin/* $(limited grep -hoE '/(usr|opt|root|home|srv|etc)/[A-Za-z0-9_./-]+' "$@" /dev/null 2>/dev/null | sort -u); do
    path=$ROOT${path#"$ROOT"}
    case ${path##*/} in @SCRIPTS@) continue ;; esac
    is_script "$path" && echo "$path"
  done
}

is_script() {
  first=
  [ -f "$1" ] && [ -r "$1" ] && read -r first 2>/dev/null <"$1"
  case $first in '#!'*) return 0 ;; esac
  return 1
}

# naming PATH...: those of these files that call a tool of ours
naming() { [ $# -eq 0 ] || limited grep -lE "$TOOLS" "$@" /dev/null </dev/null 2>/dev/null; }

# setting_up PATH...: those of these files, and of the scripts that they call, that call a tool of ours; which files call such a
# script; and the files of variables that they read
setting_up() {
  [ $# -gt 0 ] || return
  mine=$(naming "$@" $(called "$@" | sort -u))
  [ -n "$mine" ] || return
  {
    printf '%s\n' "$mine"
    limited grep -lF "$(for path in $mine; do echo "${path#"$ROOT"}"; done)" "$@" /dev/null </dev/null 2>/dev/null
    limited grep -hoE '(^|[ 	;])([.]|source|EnvironmentFile=-?)[ 	]*"?/etc/[A-Za-z0-9_./-]+' $mine /dev/null </dev/null 2>/dev/null |
      grep -oE '/etc/.+' | while read -r path; do
      [ -f "$ROOT$path" ] && [ -r "$ROOT$path" ] && echo "$ROOT$path"
    done
  } | sort -u
}

# ----------------------------------------------------------------------------------------------------------- the bundle

printf '@@ ROCE-AUDIT-BUNDLE 2\n'
printf '@@ M uid=%s date=%s budget=%s timeout=%s\n' "$(id -u)" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$BUDGET" "$TIMEOUT"
of_host
told rdma-devices rdma_devices
each_netdev of_netdev
each_rdma of_rdma
each_pci of_pci
if command -v systemctl >/dev/null 2>&1; then
  told services services
else
  left_out services - no-tool systemctl is-active
fi
files library - "$ROOT"/etc/nccl.conf "$ROOT"/etc/rccl.conf "$ROOT"/etc/ucx/ucx.conf "$ROOT"/root/.nccl.conf
lines logins - "$VARIABLES=" "$ROOT"/etc/environment "$ROOT"/etc/profile.d/* "$ROOT"/etc/environment.d/* "$ROOT"/etc/slurm/*prolog* \
  "$ROOT"/etc/slurm/*.d/*
lines mpi - '^[ \t]*[a-z]' "$ROOT"/etc/openmpi/openmpi-mca-params.conf "$ROOT"/usr/local/etc/openmpi-mca-params.conf \
  "$ROOT"/etc/openmpi-x86_64/openmpi-mca-params.conf
# the environment of a login says nothing of a job's
if [ -n "${SLURM_JOB_ID:-}${KUBERNETES_SERVICE_HOST:-}${OMPI_COMM_WORLD_SIZE:-}${PMI_RANK:-}${PBS_JOBID:-}${LSB_JOBID:-}" ]; then
  told env library_variables
fi
files boot - "$ROOT"/etc/netplan/*.y*ml "$ROOT"/etc/systemd/network/*.link "$ROOT"/etc/systemd/network/*.network "$ROOT"/etc/systemd/network/*.d/* \
  "$ROOT"/run/systemd/network/*.network "$ROOT"/etc/NetworkManager/system-connections/* "$ROOT"/etc/network/interfaces \
  "$ROOT"/etc/network/interfaces.d/* "$ROOT"/etc/sysconfig/network-scripts/ifcfg-* "$ROOT"/etc/sysconfig/network/ifcfg-*
lines modules - '^[ 	]*options[ 	]+(@MODULES@)' "$ROOT"/etc/modprobe.d/*.conf "$ROOT"/usr/lib/modprobe.d/*.conf
files agents - @SETUP_FILES@
IFS='
'
files scripts - $(setting_up $(boot_files))
unset IFS
told boot-places boot_places
slowly_of_host
each_netdev slowly_of_netdev
each_rdma slowly_of_rdma
each_pci slowly_of_pci
printf '@@ END %s\n' "$SECTIONS"
