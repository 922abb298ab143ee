package main

import (
	"go/types"
	"sort"
)

type implementsRecord struct {
	Kind     string `json:"kind"`
	FromPath string `json:"from_path"`
	Line     int    `json:"line"`
	Name     string `json:"name"`
	ToPath   string `json:"to_path"`
	ToLine   int    `json:"to_line"`
	ToName   string `json:"to_name"`
}

// concrete is a type that is no interface, with what can be called on it.
type concrete struct {
	name    *types.TypeName
	typ     types.Type
	methods *types.MethodSet
}

// writeImplementations writes which types of the checkout implement its interfaces, and which of their methods do. A package that is
// checked again for a test gives its types again; the same pair is written once.
func (t *tree) writeImplementations() {
	var interfaces []*types.TypeName
	byMethod := map[string][]concrete{}
	for _, name := range t.named {
		if types.IsInterface(name.Type()) {
			interfaces = append(interfaces, name)
			continue
		}
		typ := ofItself(name.Type())
		one := concrete{name, typ, types.NewMethodSet(types.NewPointer(typ))}
		for i := range one.methods.Len() {
			id := one.methods.At(i).Obj().Id()
			byMethod[id] = append(byMethod[id], one)
		}
	}
	found := map[implementsRecord]bool{}
	for _, name := range interfaces {
		wanted, ok := ofItself(name.Type()).Underlying().(*types.Interface)
		if !ok || wanted.NumMethods() == 0 {
			continue
		}
		for _, one := range candidates(wanted, byMethod) {
			if types.Implements(one.typ, wanted) || types.Implements(types.NewPointer(one.typ), wanted) {
				t.addImplementation(found, name, wanted, one)
			}
		}
	}
	records := make([]implementsRecord, 0, len(found))
	for record := range found {
		records = append(records, record)
	}
	sort.Slice(records, func(i, j int) bool {
		a, b := records[i], records[j]
		switch {
		case a.FromPath != b.FromPath:
			return a.FromPath < b.FromPath
		case a.Line != b.Line:
			return a.Line < b.Line
		case a.ToPath != b.ToPath:
			return a.ToPath < b.ToPath
		case a.ToLine != b.ToLine:
			return a.ToLine < b.ToLine
		case a.Name != b.Name:
			return a.Name < b.Name
		default:
			return a.ToName < b.ToName
		}
	})
	for _, record := range records {
		t.out.Encode(record)
	}
}

// ofItself gives a generic type with its own parameters as arguments: only such a type has methods that can be compared.
func ofItself(typ types.Type) types.Type {
	named, ok := typ.(*types.Named)
	if !ok || named.TypeParams().Len() == 0 {
		return typ
	}
	arguments := make([]types.Type, named.TypeParams().Len())
	for i := range arguments {
		arguments[i] = named.TypeParams().At(i)
	}
	instance, err := types.Instantiate(nil, named, arguments, false)
	if err != nil {
		return typ
	}
	return instance
}

// candidates gives the types that have the rarest method of an interface.
func candidates(wanted *types.Interface, byMethod map[string][]concrete) []concrete {
	rarest := byMethod[wanted.Method(0).Id()]
	for i := range wanted.NumMethods() {
		if with := byMethod[wanted.Method(i).Id()]; len(with) < len(rarest) {
			rarest = with
		}
	}
	return rarest
}

func (t *tree) addImplementation(found map[implementsRecord]bool, name *types.TypeName, wanted *types.Interface, one concrete) {
	add := func(from, to types.Object) {
		fromPlace, toPlace := t.fset.Position(from.Pos()), t.fset.Position(to.Pos())
		fromPath, toPath := t.inside(fromPlace.Filename), t.inside(toPlace.Filename)
		if from.Pos().IsValid() && to.Pos().IsValid() && fromPath != "" && toPath != "" {
			found[implementsRecord{"implements", fromPath, fromPlace.Line, from.Name(), toPath, toPlace.Line, to.Name()}] = true
		}
	}
	add(one.name, name)
	for i := range wanted.NumMethods() {
		method := wanted.Method(i)
		if selection := one.methods.Lookup(method.Pkg(), method.Name()); selection != nil {
			add(selection.Obj(), method)
		}
	}
}
