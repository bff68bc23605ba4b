#!/usr/bin/env bash
# Write the requirements.txt that `sam build` installs, of the layer and of every function, from uv.lock.
#
# uv.lock decides every version and every file: the hashes put pip into its mode where whatever is not listed with its
# hash is refused. So a function lists all that its packages need, also what the layer has, in the version of the layer.
# Left out is what the Lambda runtime brings, boto3 with all that only it needs: 15 MB less to unpack on a cold start.
# jmespath stays although the runtime has it: Powertools needs it by itself, and a package of ours does not lean on what
# somebody else's happens to carry.
set -euo pipefail
cd "$(dirname "$0")/.."

export_lock() {
    "${UV:-uv}" export --quiet --locked --no-header --no-annotate --no-emit-workspace --prune boto3 "$@"
}

layer=layers/common/src/requirements.txt
export_lock --package flexchat --no-default-groups >"$layer"
echo "$layer"

# A function without packages of its own still needs the file: SAM's builder looks for it.
for function in authorizer: page: preflight: validation: tools/mock: tools/builtin:builtin tools/internal:internal chat:chat; do
    file=functions/${function%%:*}/requirements.txt
    group=${function##*:}
    if [[ -n $group ]]; then
        export_lock --only-group "$group" >"$file"
    else
        : >"$file"
    fi
    echo "$file"
done
