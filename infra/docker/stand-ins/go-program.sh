# shellcheck shell=bash
# go_program <folder> <file> <module> <version> <package>: builds a program of a published module into the folder, once. Not by `go install`,
# which refuses modules whose go.mod excludes or replaces versions: a module of our own takes that go.mod over.
go_program() {
  local folder=$1 file=$2 module=$3 version=$4 package=$5 source work
  [ -x "$folder/$file" ] && return
  work=$(mktemp -d) && mkdir -p "$folder"
  source=$(cd "$work" && go mod download -json "$module@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  sed 's/^module .*/module program/' "$source/go.mod" >"$work/go.mod"
  cp "$source/go.sum" "$work/" && chmod u+w "$work/go.sum"
  (cd "$work" && go mod edit -require "$module@$version" &&
    CGO_ENABLED=0 nice -n 10 go build -mod=mod -trimpath -ldflags '-s -w' -o program "$package")
  mv "$work/program" "$folder/$file"
  rm -rf "$work"
}
