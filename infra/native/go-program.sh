# shellcheck shell=bash
# go_program <folder> <file> <module> <version> <package>: builds a program of a published module into the folder, once.
# Does not use `go install`, which rejects modules whose go.mod excludes or replaces versions; creates a module with a
# copy of that go.mod instead.
go_program() {
  local folder=$1 file=$2 module=$3 version=$4 package=$5 source module_folder
  [ -x "$folder/$file" ] && return
  module_folder=$(mktemp -d) && mkdir -p "$folder"
  source=$(cd "$module_folder" && go mod download -json "$module@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  sed 's/^module .*/module program/' "$source/go.mod" >"$module_folder/go.mod"
  cp "$source/go.sum" "$module_folder/" && chmod u+w "$module_folder/go.sum"
  (cd "$module_folder" && go mod edit -require "$module@$version" &&
    CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags '-s -w' -o program "$package")
  mv "$module_folder/program" "$folder/$file"
  rm -rf "$module_folder"
}
