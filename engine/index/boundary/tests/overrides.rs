//! Methods that implement or override those of a type from outside.

use super::check_only;

#[test]
fn rust() {
    check_only(
        &["implements"],
        "\
//- Cargo.toml
[package]
name = \"app\"
version = \"1.0.0\"

[dependencies]
http-body = \"1\"
//- src/lib.rs
use http_body::Body;

pub struct Full(Vec<u8>);

impl Full {
    pub fn own(&self) {}
}

impl Body for Full {
    type Data = Vec<u8>;
    fn poll_frame(&self) {}
}

mod apart;

impl<B> http_body::SizedBody for &B {
    fn size(&self) -> usize { 0 }
}

impl std::fmt::Debug for Full {
    fn fmt(&self) {}
}

pub trait Own: Body { fn own(&self); fn poll_frame(&self); }

impl Own for Full {
    fn own(&self) {}
}
//- src/apart.rs
use http_body::Frame;

impl Frame for super::Full {
    fn frame(&self) {}
}
",
        "
implements src/apart.rs:4 in \"Full.frame\": <cargo http_body>.Frame.frame
implements src/lib.rs:3 in \"Full\": <cargo http_body>.Frame
implements src/lib.rs:9 in \"Full\": <cargo http_body>.Body
implements src/lib.rs:10 in \"Full.Data\": <cargo http_body>.Body.Data
implements src/lib.rs:11 in \"Full.poll_frame\": <cargo http_body>.Body.poll_frame
implements src/lib.rs:17 in \"B.size\": <cargo http_body>.SizedBody.size
",
    );
}

#[test]
fn typescript_and_python() {
    check_only(
        &["implements", "extends"],
        "\
//- package.json
{ \"name\": \"app\", \"version\": \"1.0.0\", \"dependencies\": { \"@shop/kit\": \"1\" } }
//- src/store.ts
import { Base, Store } from \"@shop/kit\";

export class Mine extends Base implements Store {
    constructor() { super(); }
    load(id: string) { return id; }
    static make() {}
}

export class Below extends Mine {
    load(id: string) { return id + 1; }
    save(id: string) {}
}

export interface Held extends Store { load(id: string): string }

export class Apart { load() {} static make() {} }
//- pyproject.toml
[project]
name = \"app\"
version = \"1\"
dependencies = [\"kit\"]
//- app/__init__.py
//- app/store.py
from kit.store import Store

class Mine(Store):
    def __init__(self):
        pass

    def load(self, key):
        return key

    def __own(self):
        pass

    def __len__(self):
        return 0
",
        "
extends app/store.py:3 in \"Mine\": <pypi kit.store>.Store
implements app/store.py:7 in \"Mine.load\": <pypi kit.store>.Store.load
implements app/store.py:13 in \"Mine.__len__\": <pypi kit.store>.Store.__len__
extends src/store.ts:3 in \"Mine\": <npm @shop/kit>.Base
implements src/store.ts:3 in \"Mine\": <npm @shop/kit>.Store
implements src/store.ts:5 in \"Mine.load\": <npm @shop/kit>.Base.load
implements src/store.ts:5 in \"Mine.load\": <npm @shop/kit>.Store.load
implements src/store.ts:11 in \"Below.save\": src/store.ts#Mine.save
extends src/store.ts:14 in \"Held\": <npm @shop/kit>.Store
implements src/store.ts:14 in \"Held.load\": <npm @shop/kit>.Store.load
",
    );
}

#[test]
fn java_where_a_method_says_so_and_is_the_only_one_of_its_name() {
    check_only(
        &["implements", "extends"],
        "\
//- pom.xml
<project><groupId>org.acme</groupId><artifactId>app</artifactId><version>1</version>
<dependencies><dependency><groupId>org.acme</groupId><artifactId>kit</artifactId><version>1</version></dependency></dependencies>
</project>
//- src/main/java/org/acme/app/Mine.java
package org.acme.app;

import org.acme.kit.Base;

public class Mine extends Base {
    private String load;
    public Mine() {}
    @Override public void load(String key) {}
    @Override public void save(String key) {}
    public void save(int key) {}
    public void other() {}
}
",
        "
extends src/main/java/org/acme/app/Mine.java:5 in \"Mine\": <maven org.acme.kit>.Base
implements src/main/java/org/acme/app/Mine.java:8 in \"Mine.load\": <maven org.acme.kit>.Base.load
",
    );
}

#[test]
fn go_where_a_line_says_so() {
    check_only(
        &["implements"],
        "\
//- go.mod
module example.org/app

go 1.22

require example.org/kit v1.0.0
//- app.go
package app

import \"example.org/kit/store\"

var _ store.Store = (*Mine)(nil)

var (
    _ store.Closer = &Other{}
    _ store.Reader = Plain(nil)
    _ error        = Other{}
    _ Own          = (*Mine)(nil)
    _ store.Store  = (*Mine)(nil)
)

type Own interface {
	store.Named
	Own()
}

type Mine struct{}

func (m *Mine) Load(key string) {}

func (m *Mine) Name() string { return key }

func (m *Mine) Own() {}

type Other struct{}

func (o *Other) Close() error { return nil }

type Plain []string

type Unsaid struct{}

func (u *Unsaid) Load(key string) {}
//- more.go
package app

func (p Plain) Read(into []byte) {}
",
        "
implements app.go:17 in \"Own.Own\": <go example.org/kit/store>.Named.Own
implements app.go:20 in \"Mine\": <go example.org/kit/store>.Store
implements app.go:22 in \"Mine.Load\": <go example.org/kit/store>.Store.Load
implements app.go:22 in \"Mine.Load\": app.go#Own.Load
implements app.go:24 in \"Mine.Name\": <go example.org/kit/store>.Store.Name
implements app.go:24 in \"Mine.Name\": app.go#Own.Name
implements app.go:26 in \"Mine.Own\": <go example.org/kit/store>.Store.Own
implements app.go:28 in \"Other\": <go example.org/kit/store>.Closer
implements app.go:30 in \"Other.Close\": <go example.org/kit/store>.Closer.Close
implements app.go:32 in \"Plain\": <go example.org/kit/store>.Reader
implements more.go:3 in \"Plain.Read\": <go example.org/kit/store>.Reader.Read
",
    );
}
