// Command activate-oracle-go prints what the Go type checker knows of a tree: one record a line, as ../record.rs reads them.
//
//	activate-oracle-go [-root DIR] [PACKAGES...]
//
// The go command lists the packages, with their tests and everything they need, and compiles nothing; a tree whose dependencies are in
// vendor/ or in the module cache needs no network. Function bodies are checked only inside the tree.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// listedPackage is what `go list` says of a package.
type listedPackage struct {
	Dir        string
	ImportPath string
	GoFiles    []string
	// ImportMap gives the package that an import really stands for: a vendored one, or one that is built for a test.
	ImportMap map[string]string
	Module    *struct{ GoVersion string }
}

// tree is a checkout with everything that is known of it so far.
type tree struct {
	root     string
	fset     *token.FileSet
	packages map[string]*types.Package
	// nested maps the vendored names of modules that are part of the checkout to their folders.
	nested  map[string]string
	written map[string]bool
	named   []*types.TypeName
	out     *json.Encoder
}

func main() {
	root := flag.String("root", ".", "the checkout")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	if err := run(*root, patterns); err != nil {
		fmt.Fprintln(os.Stderr, "activate-oracle-go:", err)
		os.Exit(1)
	}
}

func run(root string, patterns []string) error {
	root, err := filepath.Abs(root)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	t := &tree{
		root:     root,
		fset:     token.NewFileSet(),
		packages: map[string]*types.Package{"unsafe": types.Unsafe},
		nested:   nestedModules(root),
		written:  map[string]bool{},
		out:      json.NewEncoder(out),
	}
	t.out.SetEscapeHTML(false)
	if err := t.list(patterns, t.check); err != nil {
		return err
	}
	t.writeImplementations()
	return out.Flush()
}

// nestedModules reads which vendored modules are replaced by folders of the checkout itself.
func nestedModules(root string) map[string]string {
	nested := map[string]string{}
	text, err := os.ReadFile(filepath.Join(root, "vendor", "modules.txt"))
	if err != nil {
		return nested
	}
	for _, line := range strings.Split(string(text), "\n") {
		replaced, by, found := strings.Cut(line, " => ./")
		if words := strings.Fields(replaced); found && len(words) > 1 && words[0] == "#" {
			nested["vendor/"+words[1]+"/"] = strings.TrimSpace(by) + "/"
		}
	}
	return nested
}

// list gives every package to take, those that others need first.
func (t *tree) list(patterns []string, take func(*listedPackage)) error {
	arguments := append([]string{"list", "-e", "-deps", "-test", "-json=Dir,ImportPath,GoFiles,ImportMap,Module"}, patterns...)
	command := exec.Command("go", arguments...)
	command.Dir = t.root
	command.Stderr = os.Stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	for decoder := json.NewDecoder(stdout); ; {
		var listed listedPackage
		if err := decoder.Decode(&listed); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("what go list says: %w", err)
		}
		take(&listed)
	}
	// With -e it fails only when it cannot list at all; what is wrong with single packages shows as unresolved names.
	return command.Wait()
}

// check type-checks a package, and writes the records of its files if they are of the checkout.
func (t *tree) check(listed *listedPackage) {
	isGeneratedMain := strings.HasSuffix(listed.ImportPath, ".test")
	if listed.ImportPath == "unsafe" || isGeneratedMain {
		return
	}
	var files []*ast.File
	for _, name := range listed.GoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(listed.Dir, name)
		}
		// A file with syntax errors is still a file: what was understood counts.
		if file, _ := parser.ParseFile(t.fset, name, nil, parser.SkipObjectResolution); file != nil {
			files = append(files, file)
		}
	}
	isOurs := t.inside(filepath.Join(listed.Dir, "any.go")) != ""
	imports := importer{listed.ImportMap, t.packages}
	config := types.Config{
		Importer:         imports,
		FakeImportC:      true,
		IgnoreFuncBodies: !isOurs,
		// Errors are no reason to stop: names without a meaning are what counts.
		Error: func(error) {},
	}
	if listed.Module != nil && listed.Module.GoVersion != "" {
		config.GoVersion = "go" + listed.Module.GoVersion
	}
	info := &types.Info{
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{},
	}
	// A package that is built for a test is named `path [path.test]`.
	path, _, _ := strings.Cut(listed.ImportPath, " ")
	checked, _ := config.Check(path, t.fset, files, info)
	t.packages[listed.ImportPath] = checked
	if !isOurs {
		return
	}
	for _, object := range info.Defs {
		if name, ok := object.(*types.TypeName); ok && !name.IsAlias() {
			t.named = append(t.named, name)
		}
	}
	for _, file := range files {
		path := t.inside(t.fset.Position(file.Package).Filename)
		if path != "" && !t.written[path] {
			t.written[path] = true
			(&fileWriter{tree: t, path: path, info: info, imports: imports, called: calledNames(file)}).write(file)
		}
	}
}

// importer finds packages among those that are checked already.
type importer struct {
	standsFor map[string]string
	packages  map[string]*types.Package
}

func (i importer) Import(path string) (*types.Package, error) {
	if real, ok := i.standsFor[path]; ok {
		path = real
	}
	if found := i.packages[path]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("package %s is not there", path)
}

// below gives the path of a file below the root, with slashes, or nothing.
func (t *tree) below(name string) string {
	path, err := filepath.Rel(t.root, name)
	path = filepath.ToSlash(path)
	if err != nil || path == ".." || strings.HasPrefix(path, "../") {
		return ""
	}
	for vendored, folder := range t.nested {
		if rest, ok := strings.CutPrefix(path, vendored); ok {
			return folder + rest
		}
	}
	return path
}

// inside gives the path of a file that belongs to the checkout and is not vendored, or nothing.
func (t *tree) inside(name string) string {
	path := t.below(name)
	if strings.HasPrefix(path, "vendor/") || strings.Contains(path, "/vendor/") {
		return ""
	}
	return path
}
