//! Go.

use super::{check, links};
use crate::fixture::base;
use activate_rules::links::LinkKind;

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

type named struct{ *unknown }

func (o own) unknown() {}

func Use(g *guarded, u unknown, n named) {
	g.Lock()
	u.Unlock()
	use(n.unknown)
}
",
        "a.go: Unlock unknown",
    );
}

#[test]
fn the_first_variable_of_an_iteration_is_what_the_iterated_gives() {
    check(
        "\
//- go.mod
module m
//- a.go
package m

import \"iter\"

type Job struct{}

func (j *Job) Start() {}

type Key struct{}

func (k Key) Start() {}

type Queue chan *Job

type Jobs map[Key]*Job

func Channel(jobs <-chan *Job, queue Queue) {
	for job := range jobs {
		job.Start()
	}
	for job := range queue {
		job.Start()
	}
	(<-jobs).Start()
}

func Iterators(one iter.Seq[*Job], two iter.Seq2[Key, *Job], own func(yield func(Key, *Job) bool)) {
	for job := range one {
		job.Start()
	}
	for key, job := range two {
		key.Start()
		job.Start()
	}
	for key, job := range own {
		key.Start()
		job.Start()
	}
}

func Keys(jobs Jobs, list []*Job, other Other) {
	for key := range jobs {
		key.Start()
	}
	for at := range list {
		at.Start()
	}
	for what := range other {
		what.Start()
	}
}
",
        "\
a.go:19 calls a.go#Job.Start, qualified
a.go:22 calls a.go#Job.Start, qualified
a.go:24 calls a.go#Job.Start, qualified
a.go:29 calls a.go#Job.Start, qualified
a.go:32 calls a.go#Key.Start, qualified
a.go:33 calls a.go#Job.Start, qualified
a.go:36 calls a.go#Key.Start, qualified
a.go:37 calls a.go#Job.Start, qualified
a.go:43 calls a.go#Key.Start, qualified
a.go: Start unknown",
    );
}

#[test]
fn a_program_beside_a_library_is_not_what_an_import_of_the_folder_means() {
    check(
        "\
//- go.mod
module m
//- p/gen.go
//go:build ignore

package main

func helper() {}

func main() { helper() }
//- p/p.go
package p

func Validate() {}
//- p/tool.go
package main

//- q/q.go
package q

import \"m/p\"

func Use() { p.Validate() }
",
        "\
p/gen.go:7 calls p/gen.go#helper, exact
q/q.go:5 calls p/p.go#Validate, exact",
    );
}

#[test]
fn a_type_argument_stands_for_its_parameter_and_is_not_embedded() {
    check(
        "\
//- go.mod
module m
//- a.go
package m

type Job struct{}

func (j *Job) Start() {}

type Starter interface {
	Start()
	Stop()
}

type List[T any] struct{ First T }

type Queue struct{ jobs List[*Job] }

func (q Queue) Stop() {}

func Use(queue Queue, list List[*Job]) {
	queue.jobs.First.Start()
	list.First.Start()
	queue.Start()
}
",
        "\
a.go:19 calls a.go#Job.Start, qualified
a.go:20 calls a.go#Job.Start, qualified
a.go: Start unknown",
    );
}

#[test]
fn a_type_implements_an_interface_only_with_the_same_types_and_not_with_types_called_alike() {
    check(
        "\
//- go.mod
module m
//- a/a.go
package a

import \"other.org/config\"

type Config struct{}

type Loader interface {
	Load(c Config) error
	Save(c []*Config) error
}

type Outside interface {
	Read(c config.Config)
	Write(c config.Config)
}

type Unknown interface {
	Get(v Missing)
	Put(v func(Config) Config)
}
//- b/b.go
package b

import (
	own \"m/a\"
	\"mine.org/config\"
)

type Config struct{}

type Alias = own.Config

type Disk struct{}

func (d *Disk) Load(c Config) error    { return nil }
func (d *Disk) Save(c []*Config) error { return nil }

type Cache struct{}

func (c *Cache) Load(x own.Config) error { return nil }
func (c *Cache) Save(x []*Alias) error   { return nil }

type Reader struct{}

func (r Reader) Read(c config.Config)  {}
func (r Reader) Write(c config.Config) {}

type Guess struct{}

func (g Guess) Get(v Missing)                     {}
func (g Guess) Put(v func(own.Config) own.Config) {}

type Wrong struct{}

func (w Wrong) Get(v Missing)             {}
func (w Wrong) Put(v func(Config) Config) {}
",
        "\
b/b.go:17 implements a/a.go#Loader, qualified
b/b.go:19 implements a/a.go#Loader.Load, qualified
b/b.go:20 implements a/a.go#Loader.Save, qualified
b/b.go:27 implements a/a.go#Unknown, unique
b/b.go:29 implements a/a.go#Unknown.Get, unique
b/b.go:30 implements a/a.go#Unknown.Put, unique",
    );
}

/// What files import, each as `file -> file or package`.
fn imports(repository: &str) -> Vec<String> {
    let base = base(repository);
    let sites = base.sites().filter(|site| site.kind == LinkKind::Imports);
    sites.map(|site| format!("{} -> {}", base.id(site.from), base.id(site.to))).collect()
}

#[test]
fn an_import_for_its_effects_leads_to_what_it_runs() {
    let repository = |init: &str| {
        format!(
            "//- go.mod\nmodule m\n//- a.go\npackage m\n\nimport _ \"m/drv\"\n//- drv/a.go\npackage drv\n\nfunc Open() {{}}\n\
             //- drv/b.go\npackage drv\n\n{init}\n//- drv/b_test.go\npackage drv\n\nfunc init() {{}}\n"
        )
    };
    assert_eq!(imports(&repository("func init() { Open() }")), ["a.go -> drv/b.go", "drv/b.go -> drv/a.go"]);
    assert_eq!(imports(&repository("type T struct{}")), ["a.go -> drv/a.go"]);
}

#[test]
fn vendored_code_is_a_package_from_outside_whose_definitions_are_known() {
    let repository = "\
//- go.mod
module m
require example.org/lib v1.0.0
//- a.go
package m

import \"example.org/lib\"

func Use(c *lib.Client) { c.Do(); lib.Dial() }
//- vendor/example.org/lib/lib.go
package lib

type Client struct{}

func (c *Client) Do() { Dial() }

func Dial() {}
";
    assert_eq!(imports(repository), ["a.go -> example.org/lib"]);
    assert_eq!(links(repository), "");
    assert!(base(repository).node_at("vendor/example.org/lib/lib.go#Client.Do").is_some());
}

#[test]
fn new_of_an_expression_has_its_type() {
    check(
        "\
//- go.mod
module m
//- a.go
package m

type T struct{}

func (t T) Do() {}

func Make() T { return T{} }

func Use() {
	new(Make()).Do()
	new(3)
	new(T).Do()
}
",
        "\
a.go:10 calls a.go#Make, exact
a.go:10 calls a.go#T.Do, qualified
a.go:12 calls a.go#T.Do, qualified",
    );
}

#[test]
fn an_interface_that_takes_over_a_vendored_one_is_fulfilled_by_what_has_the_methods_of_both() {
    check(
        "\
//- go.mod
module m
require example.org/fs v1.0.0
//- a.go
package m

import \"example.org/fs\"

type Files interface {
	fs.Opener
	Close() error
}

type Disk struct{}

func (d *Disk) Open(name string) error { return nil }
func (d *Disk) Close() error { return nil }
func (d *Disk) Read() error { return nil }

type Half struct{}

func (h *Half) Open(name string) error { return nil }
func (h *Half) Close() error { return nil }
//- vendor/example.org/fs/fs.go
package fs

type reader interface{ Read() error }

type Opener interface {
	reader
	Open(name string) error
}
",
        "\
a.go:10 implements a.go#Files, unique
a.go:13 implements a.go#Files.Close, unique",
    );
}
