//! Go.

use super::check;

#[test]
fn what_go_shows_and_needs() {
    check(
        "\
//- go.mod
module example.org/app

require (
	example.org/log v1.2.0
	example.org/old v0.1.0
	example.org/near v0.0.0
)

replace example.org/old => example.org/new v0.2.0

replace example.org/near => ./near
//- near/go.mod
module example.org/near
//- near/near.go
package near

func Near() {}
//- store/store.go
// Package store keeps.
package store

import (
	\"errors\"
	\"net/http\"

	\"example.org/log\"
	old \"example.org/old/client\"
	\"example.org/near\"
)

type Store struct {
	*log.Logger
	client *old.Client
	Items  []old.Item
}

type Reader interface {
	log.Sink
	Read() (*old.Item, error)
}

type Name = old.Name

const Level = log.Warn

func New(c *old.Client) (*Store, error) {
	l, err := log.New(\"x\")
	if err != nil {
		return nil, errors.New(\"no\")
	}
	l.Info()
	near.Near()
	http.Get(\"x\")
	return &Store{Logger: l, client: c}, nil
}

func (s *Store) Save() *old.Reply {
	s.Warn()
	s.client.Send().Wait()
	for _, item := range s.Items {
		item.Touch()
	}
	var name Name
	name.Check()
	s.private()
	return s.client.Last
}

func (s *Store) private() {}
//- main.go
package main

import \"example.org/app/store\"

func main() {
	s, _ := store.New(nil)
	s.Save().Done()
	s.Flush()
}
",
        "\
package go example.org/app - in \"\"\npackage go example.org/near - in \"near\"\nneed go example.org/log \"v1.2.0\" in \"\":4\nneed go example.org/near \"v0.0.0\" in \"\":6, of this repository\nneed go example.org/new \"v0.2.0\" in \"\":5\nmodule go example.org/near is near/near.go\nmodule go example.org/app/store is store/store.go\nmember [near/near.go].Near is near/near.go#Near\nmember [store/store.go].Level is store/store.go#Level\nmember [store/store.go].Name is store/store.go#Name\nmember [store/store.go].New is store/store.go#New\nmember [store/store.go].Reader is store/store.go#Reader\nmember [store/store.go].Store is store/store.go#Store\nmember store/store.go#Store.Items is <go example.org/new/client>.Item{}[]\nmember store/store.go#Store.Logger is <go example.org/log>.Logger{}\nmember store/store.go#Store.Save is store/store.go#Store.Save\nmember store/store.go#Reader.Read is store/store.go#Reader.Read\nmember store/store.go#Reader.Sink is <go example.org/log>.Sink{}\ntype store/store.go#Reader.Read#0 is <go example.org/new/client>.Item{}\ntype store/store.go#Name is <go example.org/new/client>.Name\ntype store/store.go#Level is <go example.org/log>.Warn\ntype store/store.go#New#0 is store/store.go#Store{}\ntype store/store.go#Store.Save is <go example.org/new/client>.Reply{}\nsuper store/store.go#Store is <go example.org/log>.Logger\nsuper store/store.go#Reader is <go example.org/log>.Sink\nimport store/store.go:8 in \"\": <go example.org/log>\nimport store/store.go:9 in \"\": <go example.org/new/client>\ncall main.go:7 in \"main\": <go example.org/new/client>.Reply{}.Done\ncall main.go:8 in \"main\": store/store.go#Store{}.Flush\nreference store/store.go:14 in \"Store\": <go example.org/log>\nreference store/store.go:14 in \"Store\": <go example.org/log>.Logger\nextends store/store.go:14 in \"Store\": <go example.org/log>.Logger\nreference store/store.go:15 in \"Store\": <go example.org/new/client>\nreference store/store.go:15 in \"Store\": <go example.org/new/client>.Client\nreference store/store.go:16 in \"Store\": <go example.org/new/client>\nreference store/store.go:16 in \"Store\": <go example.org/new/client>.Item\nreference store/store.go:20 in \"Reader\": <go example.org/log>\nreference store/store.go:20 in \"Reader\": <go example.org/log>.Sink\nextends store/store.go:20 in \"Reader\": <go example.org/log>.Sink\nreference store/store.go:21 in \"Reader.Read\": <go example.org/new/client>\nreference store/store.go:21 in \"Reader.Read\": <go example.org/new/client>.Item\nreference store/store.go:24 in \"Name\": <go example.org/new/client>\nreference store/store.go:24 in \"Name\": <go example.org/new/client>.Name\nreference store/store.go:26 in \"Level\": <go example.org/log>\nreference store/store.go:26 in \"Level\": <go example.org/log>.Warn\nreference store/store.go:28 in \"New\": <go example.org/new/client>\nreference store/store.go:28 in \"New\": <go example.org/new/client>.Client\ncall store/store.go:29 in \"New\": <go example.org/log>.New\nreference store/store.go:29 in \"New\": <go example.org/log>\ncall store/store.go:33 in \"New\": <go example.org/log>.New()#0.Info\nreference store/store.go:39 in \"Store.Save\": <go example.org/new/client>\nreference store/store.go:39 in \"Store.Save\": <go example.org/new/client>.Reply\ncall store/store.go:40 in \"Store.Save\": store/store.go#Store{}.Warn\ncall store/store.go:41 in \"Store.Save\": <go example.org/new/client>.Client{}.Send\ncall store/store.go:41 in \"Store.Save\": <go example.org/new/client>.Client{}.Send().Wait\ncall store/store.go:43 in \"Store.Save\": <go example.org/new/client>.Item{}.Touch\ncall store/store.go:46 in \"Store.Save\": <go example.org/new/client>.Name{}.Check\nreference store/store.go:48 in \"Store.Save\": <go example.org/new/client>.Client{}.Last
",
    );
}
