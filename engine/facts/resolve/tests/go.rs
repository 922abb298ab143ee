//! Go.

use super::check;

#[test]
fn what_a_type_has_by_embedding_is_foreign_only_where_what_is_embedded_is() {
    check(
        "\
//- go.mod
module m
//- a.go
package m

import \"sync\"

type own struct{}

func (o own) Lock()   {}
func (o own) Unlock() {}

type guarded struct{ sync.Mutex }

type unknown struct{ Missing }

func Use(g *guarded, u unknown) {
	g.Lock()
	u.Unlock()
}
",
        "a.go: Unlock unknown",
    );
}
