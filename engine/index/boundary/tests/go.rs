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
package go example.org/app - in \"\"
package go example.org/near - in \"near\"
need go example.org/log \"v1.2.0\" in \"\":4
need go example.org/near \"v0.0.0\" in \"\":6, of this repository
need go example.org/new \"v0.2.0\" in \"\":5
module go example.org/near is near/near.go
module go example.org/app/store is store/store.go
member [near/near.go].Near is near/near.go#Near
member [store/store.go].Level is store/store.go#Level
member [store/store.go].Name is store/store.go#Name
member [store/store.go].New is store/store.go#New
member [store/store.go].Reader is store/store.go#Reader
member [store/store.go].Store is store/store.go#Store
member store/store.go#Store.Items is <go example.org/new/client>.Item{}[]
member store/store.go#Store.Logger is <go example.org/log>.Logger{}
member store/store.go#Store.Save is store/store.go#Store.Save
member store/store.go#Reader.Read is store/store.go#Reader.Read
member store/store.go#Reader.Sink is <go example.org/log>.Sink{}
type store/store.go#Reader.Read#0 is <go example.org/new/client>.Item{}
type store/store.go#Name is <go example.org/new/client>.Name
type store/store.go#Level is <go example.org/log>.Warn
type store/store.go#New#0 is store/store.go#Store{}
type store/store.go#Store.Save is <go example.org/new/client>.Reply{}
super store/store.go#Store is <go example.org/log>.Logger
super store/store.go#Reader is <go example.org/log>.Sink
import store/store.go:8 in \"\": <go example.org/log>
import store/store.go:9 in \"\": <go example.org/new/client>
call main.go:7 in \"main\": <go example.org/new/client>.Reply{}.Done
call main.go:8 in \"main\": store/store.go#Store{}.Flush
reference store/store.go:14 in \"Store\": <go example.org/log>.Logger
extends store/store.go:14 in \"Store\": <go example.org/log>.Logger
reference store/store.go:15 in \"Store\": <go example.org/new/client>.Client
reference store/store.go:16 in \"Store\": <go example.org/new/client>.Item
reference store/store.go:20 in \"Reader\": <go example.org/log>.Sink
extends store/store.go:20 in \"Reader\": <go example.org/log>.Sink
reference store/store.go:21 in \"Reader.Read\": <go example.org/new/client>.Item
implements store/store.go:21 in \"Reader.Read\": <go example.org/log>.Sink.Read
reference store/store.go:24 in \"Name\": <go example.org/new/client>.Name
reference store/store.go:26 in \"Level\": <go example.org/log>.Warn
reference store/store.go:28 in \"New\": <go example.org/new/client>.Client
call store/store.go:29 in \"New\": <go example.org/log>.New
call store/store.go:33 in \"New\": <go example.org/log>.New()#0.Info
reference store/store.go:39 in \"Store.Save\": <go example.org/new/client>.Reply
call store/store.go:40 in \"Store.Save\": store/store.go#Store{}.Warn
call store/store.go:41 in \"Store.Save\": <go example.org/new/client>.Client{}.Send
call store/store.go:41 in \"Store.Save\": <go example.org/new/client>.Client{}.Send().Wait
call store/store.go:43 in \"Store.Save\": <go example.org/new/client>.Item{}.Touch
call store/store.go:46 in \"Store.Save\": <go example.org/new/client>.Name{}.Check
reference store/store.go:48 in \"Store.Save\": <go example.org/new/client>.Client{}.Last
",
    );
}

#[test]
fn what_named_lists_hold_and_names_that_a_line_has_twice() {
    check(
        "\
//- go.mod
module example.org/app

require example.org/log v1.2.0
//- list/list.go
package list

import \"example.org/log\"

type Entries []*log.Entry

type ByName map[string]log.Entry

func Write(name ByName) int {
	for _, entry := range name {
		entry.Flush()
	}
	return log.Write(Write(nil))
}
",
        "\
package go example.org/app - in \"\"
need go example.org/log \"v1.2.0\" in \"\":3
module go example.org/app/list is list/list.go
member [list/list.go].ByName is list/list.go#ByName
member [list/list.go].Entries is list/list.go#Entries
member [list/list.go].Write is list/list.go#Write
type list/list.go#Entries is <go example.org/log>.Entry{}[]
type list/list.go#ByName is <go example.org/log>.Entry{}[]
import list/list.go:3 in \"\": <go example.org/log>
reference list/list.go:5 in \"Entries\": <go example.org/log>.Entry
reference list/list.go:7 in \"ByName\": <go example.org/log>.Entry
call list/list.go:11 in \"Write\": <go example.org/log>.Entry{}.Flush
call list/list.go:13 in \"Write\": <go example.org/log>.Write
",
    );
}

#[test]
fn packages_that_are_called_otherwise_than_their_paths_say() {
    check(
        "\
//- go.mod
module example.org/mount-utils

require (
	example.org/go-yaml/v3 v3.0.0
	example.org/log v1.2.0
	example.org/object-store v1.0.0
	example.org/text-tools v1.0.0
)
//- mount.go
package mount

import (
	\"errors\"

	\"example.org/log\"
	_ \"example.org/log/effect\"
	other \"example.org/log/other\"
	\"example.org/object-store\"
	\"example.org/text-tools\"
)

type Interface interface {
	store.Bucket
}

func New(b *store.Bucket) error {
	log.Warn(other.Level)
	b.Close().Name()
	text.Trim(errors.New(\"x\"))
	absent := 1
	return absent.Error(missing)
}
//- docs/docs.go
package docs

func Text() {}
//- main/run.go
package run

import \"example.org/mount-utils\"

func Run() error {
	text.Trim()
	return mount.New(nil)
}
",
        "\
package go example.org/mount-utils - in \"\"
need go example.org/go-yaml/v3 \"v3.0.0\" in \"\":4
need go example.org/log \"v1.2.0\" in \"\":5
need go example.org/object-store \"v1.0.0\" in \"\":6
need go example.org/text-tools \"v1.0.0\" in \"\":7
module go example.org/mount-utils/docs is docs/docs.go
module go example.org/mount-utils/main is main/run.go
module go example.org/mount-utils is mount.go
member [docs/docs.go].Text is docs/docs.go#Text
member [main/run.go].Run is main/run.go#Run
member [main/run.go].package:run is [main/run.go]
member [mount.go].Interface is mount.go#Interface
member [mount.go].New is mount.go#New
member [mount.go].package:mount is [mount.go]
import mount.go:6 in \"\": <go example.org/log>
import mount.go:7 in \"\": <go example.org/log/effect>
import mount.go:8 in \"\": <go example.org/log/other>
import mount.go:9 in \"\": <go example.org/object-store>
import mount.go:10 in \"\": <go example.org/text-tools>
reference mount.go:14 in \"Interface\": <go example.org/object-store>.package:store.Bucket, of site 1 by rank 0
reference mount.go:14 in \"Interface\": <go example.org/text-tools>.package:store.Bucket, of site 1 by rank 0
extends mount.go:14 in \"Interface\": <go example.org/object-store>.package:store.Bucket, of site 6 by rank 0
extends mount.go:14 in \"Interface\": <go example.org/text-tools>.package:store.Bucket, of site 6 by rank 0
reference mount.go:17 in \"New\": <go example.org/object-store>.package:store.Bucket, of site 2 by rank 0
reference mount.go:17 in \"New\": <go example.org/text-tools>.package:store.Bucket, of site 2 by rank 0
call mount.go:18 in \"New\": <go example.org/log>.Warn
reference mount.go:18 in \"New\": <go example.org/log/other>.Level
call mount.go:19 in \"New\": <go example.org/object-store>.package:store.Bucket{}.Close, of site 3 by rank 0
call mount.go:19 in \"New\": <go example.org/text-tools>.package:store.Bucket{}.Close, of site 3 by rank 0
call mount.go:19 in \"New\": <go example.org/object-store>.package:store.Bucket{}.Close().Name, of site 4 by rank 0
call mount.go:19 in \"New\": <go example.org/text-tools>.package:store.Bucket{}.Close().Name, of site 4 by rank 0
call mount.go:20 in \"New\": <go example.org/object-store>.package:text.Trim, of site 5 by rank 0
call mount.go:20 in \"New\": <go example.org/text-tools>.package:text.Trim, of site 5 by rank 0
",
    );
}
