# Calls the sample of each tool, and prints its name, its status and its answer. Reads "MODE NAME" from standard input.
source "$SAMPLES"

curl() {
  command curl --no-progress-meter --write-out '\n%{http_code}' "${options[@]}" "$@"
}

while read -r mode name; do
  options=()
  if [ "$mode" = tried ]; then options=(-H "Dry-Run: true"); fi
  printf '\036%s\n' "$name"
  "sample_$name" </dev/null
done
