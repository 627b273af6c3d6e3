# tephra.bash - completion for bash; what there is to complete the program says itself

_tephra()
{
	local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} program=${COMP_WORDS[0]}
	local IFS=$'\n'

	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$program" --list-commands 2>/dev/null)" -- "$current")
	elif [ "${current#-}" != "$current" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$program" "$command" --list-options 2>/dev/null)" -- "$current")
		# an option that needs a value is not done yet
		[ "${COMPREPLY[0]-}" = "${COMPREPLY[0]%=}" ] || compopt -o nospace
	fi
}

# without a reply bash completes file names
complete -o default -F _tephra tephra
