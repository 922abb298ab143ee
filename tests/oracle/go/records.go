package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"
)

// completeShare says when a file is complete: at most one call site in so many is unresolved.
const completeShare = 10

type fileRecord struct {
	Kind       string `json:"kind"`
	Path       string `json:"path"`
	Lang       string `json:"lang"`
	Test       bool   `json:"test"`
	CallSites  int    `json:"call_sites"`
	Unresolved int    `json:"unresolved"`
	Complete   bool   `json:"complete"`
}

type siteRecord struct {
	Kind      string `json:"kind"`
	FromPath  string `json:"from_path"`
	Line      int    `json:"line"`
	Name      string `json:"name"`
	FromName  string `json:"from_name,omitempty"`
	FromLines [2]int `json:"from_lines"`
	ToPath    string `json:"to_path"`
	ToName    string `json:"to_name"`
	ToLine    int    `json:"to_line"`
	ToKind    string `json:"to_kind"`
	Test      bool   `json:"test"`
}

type otherRecord struct {
	Kind     string `json:"kind"`
	Why      string `json:"why"`
	FromPath string `json:"from_path"`
	Line     int    `json:"line"`
	Name     string `json:"name"`
	Call     bool   `json:"call"`
	ToPath   string `json:"to_path,omitempty"`
	ToLine   int    `json:"to_line,omitempty"`
	ToName   string `json:"to_name,omitempty"`
}

type importRecord struct {
	Kind     string `json:"kind"`
	How      string `json:"how"`
	FromPath string `json:"from_path"`
	Line     int    `json:"line"`
	ToPath   string `json:"to_path"`
	Test     bool   `json:"test"`
}

// calledNames gives for each name that is called the call.
func calledNames(file *ast.File) map[*ast.Ident]*ast.CallExpr {
	called := map[*ast.Ident]*ast.CallExpr{}
	ast.Inspect(file, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			if name := calledName(call.Fun); name != nil {
				called[name] = call
			}
		}
		return true
	})
	return called
}

func calledName(function ast.Expr) *ast.Ident {
	switch function := function.(type) {
	case *ast.Ident:
		return function
	case *ast.SelectorExpr:
		return function.Sel
	case *ast.ParenExpr:
		return calledName(function.X)
	case *ast.IndexExpr:
		return calledName(function.X)
	case *ast.IndexListExpr:
		return calledName(function.X)
	}
	return nil
}

// fileWriter writes the records of one file.
type fileWriter struct {
	*tree
	path       string
	info       *types.Info
	imports    importer
	called     map[*ast.Ident]*ast.CallExpr
	callSites  int
	unresolved int
}

func (w *fileWriter) isTest() bool { return strings.HasSuffix(w.path, "_test.go") }

func (w *fileWriter) line(at token.Pos) int { return w.fset.Position(at).Line }

func (w *fileWriter) write(file *ast.File) {
	for _, spec := range file.Imports {
		if folder := w.importedFolder(spec); folder != "" {
			w.out.Encode(importRecord{"import", "package", w.path, w.line(spec.Pos()), folder, w.isTest()})
		}
	}
	for _, declaration := range file.Decls {
		name := declaredName(declaration)
		lines := [2]int{w.line(declaration.Pos()), w.line(declaration.End())}
		ast.Inspect(declaration, func(node ast.Node) bool {
			if used, ok := node.(*ast.Ident); ok {
				w.name(used, name, lines)
			}
			return true
		})
	}
	isComplete := w.unresolved*completeShare <= w.callSites
	w.out.Encode(fileRecord{"file", w.path, "go", w.isTest(), w.callSites, w.unresolved, isComplete})
}

// importedFolder gives the folder of an imported package of the checkout, as one of its definitions shows.
func (w *fileWriter) importedFolder(spec *ast.ImportSpec) string {
	imported, err := w.imports.Import(strings.Trim(spec.Path.Value, "`\""))
	if err != nil {
		return ""
	}
	for _, name := range imported.Scope().Names() {
		if file := w.inside(w.fset.Position(imported.Scope().Lookup(name).Pos()).Filename); file != "" {
			return path.Dir(file)
		}
	}
	return ""
}

// declaredName gives the name of a function, with its receiver's type before it.
func declaredName(declaration ast.Decl) string {
	function, ok := declaration.(*ast.FuncDecl)
	if !ok {
		return ""
	}
	if function.Recv != nil && len(function.Recv.List) > 0 {
		receiver := function.Recv.List[0].Type
		if pointer, ok := ast.Unparen(receiver).(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		if of := calledName(receiver); of != nil {
			return of.Name + "." + function.Name.Name
		}
	}
	return function.Name.Name
}

// name writes the record of one name, if it is a use.
func (w *fileWriter) name(used *ast.Ident, fromName string, fromLines [2]int) {
	call := w.called[used]
	if call != nil {
		w.callSites++
	}
	other := otherRecord{Kind: "other", FromPath: w.path, Line: w.line(used.Pos()), Name: used.Name, Call: call != nil}
	object := w.info.Uses[used]
	switch of := object.(type) {
	case nil:
		// What is no use, a definition or a field's name, is no call either.
		if call != nil {
			w.unresolved++
			other.Why = "unresolved"
			w.out.Encode(other)
		}
		return
	case *types.PkgName, *types.Nil, *types.Label:
		return
	case *types.Func:
		object = of.Origin()
	case *types.Var:
		object = of.Origin()
	}
	kind, place := kindOf(object), w.fset.Position(object.Pos())
	to := ""
	if object.Pos().IsValid() {
		to = w.inside(place.Filename)
	}
	switch {
	case kind == "local":
		other.Why = "local"
	case to == "":
		other.Why = "outside"
		// What is vendored has a place all the same.
		if vendored := w.below(place.Filename); vendored != "" && object.Pos().IsValid() {
			other.ToPath, other.ToLine, other.ToName = vendored, place.Line, object.Name()
		}
	case kind == "field":
		other.Why = "field"
		other.ToPath, other.ToLine, other.ToName = to, place.Line, object.Name()
	default:
		how := "reference"
		// A call of a type is a conversion.
		if call != nil && !w.info.Types[call.Fun].IsType() {
			how = "call"
		}
		w.out.Encode(siteRecord{how, w.path, other.Line, used.Name, fromName, fromLines, to, object.Name(), place.Line, kind, w.isTest()})
		return
	}
	w.out.Encode(other)
}

func kindOf(object types.Object) string {
	isGlobal := object.Pkg() != nil && object.Parent() == object.Pkg().Scope()
	switch object := object.(type) {
	case *types.Builtin:
		return "builtin"
	case *types.Func:
		receiver := object.Type().(*types.Signature).Recv()
		switch {
		case receiver == nil:
			return "function"
		case types.IsInterface(receiver.Type()):
			return "imethod"
		default:
			return "method"
		}
	case *types.TypeName:
		_, isParameter := object.Type().(*types.TypeParam)
		switch {
		case isParameter:
			return "local"
		case isGlobal || object.Pkg() == nil:
			return "type"
		default:
			return "nested_type"
		}
	case *types.Var:
		if object.IsField() {
			return "field"
		}
	}
	if isGlobal || object.Pkg() == nil {
		return "const"
	}
	return "local"
}
