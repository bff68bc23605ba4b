#!/usr/bin/env bash
# Write the requirements.txt that `sam build` installs, of the layer and of every function, from uv.lock.
#
# uv.lock fixes every version and every file: with hashes, pip rejects every package that is not listed with its hash. A
# function therefore lists all dependencies of its packages, those of the layer included, in the version of the layer.
# boto3 and botocore are in the layer although the Lambda runtime has them: its version is older than the one that the tests
# use, differs between regions and changes without a deploy.
set -euo pipefail
cd "$(dirname "$0")/.."

export_lock() {
    "${UV:-uv}" export --quiet --locked --no-header --no-annotate --no-emit-workspace "$@"
}

layer=layers/common/src/requirements.txt
export_lock --package flexchat --no-default-groups >"$layer"
echo "$layer"

# A function without packages of its own still needs the file: SAM's builder looks for it.
# The configuration function contains the packages of all functions, for their checks: its folder is `functions`.
# Functions of tool types are the rows of their table, as folder:group.
tool_types=$("${PYTHON:-.venv/bin/python}" -m flexchat.tool_types)
for function in functions/authorizer:authorizer functions/page: functions/validation: functions/chat:chat functions:configuration functions/traces:traces \
    $tool_types; do
    file=${function%%:*}/requirements.txt
    group=${function##*:}
    if [[ -n $group ]]; then
        export_lock --only-group "$group" >"$file"
    else
        : >"$file"
    fi
    echo "$file"
done
