//! TypeScript.

use super::{check, check_only};

#[test]
fn what_typescript_shows_and_needs() {
    check(
        "\
//- package.json
{
  \"name\": \"@acme/store\",
  \"version\": \"2.1.0\",
  \"main\": \"dist/index.js\",
  \"exports\": {
    \".\": \"./dist/index.js\",
    \"./tools\": { \"types\": \"./dist/tools.d.ts\" }
  },
  \"dependencies\": {
    \"http-client\": \"^1.2.0\",
    \"logger\": \"npm:@acme/log@~2.0.0\"
  },
  \"devDependencies\": {
    \"near\": \"workspace:*\"
  }
}
//- src/index.ts
export * from './inner'
export { Store as Keeper } from './store'
export * from 'http-client/errors'
export { default as log, Level } from 'logger'
//- src/inner.ts
import type { Reply } from 'http-client'
export interface Options { retries: number; reply?: Reply }
export const limit = 3
//- src/tools.ts
import Client from 'http-client'
export function connect(url: string): Client { return new Client(url) }
export default async function load(): Promise<Client[]> { return [] }
//- src/store.ts
import * as http from 'http-client'
import Client, { Reply, type Handler } from 'http-client'
import log from 'logger'
import { readFileSync } from 'node:fs'
import { connect } from './tools'

export class Store extends http.Base implements Handler {
  private client: Client
  constructor(private readonly pool: http.Pool) {
    super()
    this.client = new Client('x')
    readFileSync('x')
  }

  async send(): Promise<Reply> {
    log.info('x')
    const reply = await this.client.get('/x').json()
    reply.check()
    this.pool.close()
    this.retry()
    connect('x').open()
    for (const each of this.list()) each.touch()
    this.list().map(one => one.touch())
    return reply
  }

  list(): Reply[] { return [] }
}
",
        "\
package npm @acme/store 2.1.0 in \"\"
need npm @acme/log \"~2.0.0\" in \"\":11
need npm http-client \"^1.2.0\" in \"\":10
need npm near \"*\" in \"\":14, of this repository
module npm @acme/store is src/index.ts
module npm - is src/inner.ts
module npm @acme/store/tools is src/tools.ts
member [src/index.ts].Keeper is src/store.ts#Store
member [src/index.ts].Level is <npm @acme/log>.Level
member [src/index.ts].log is <npm @acme/log>.default
member [src/inner.ts].Options is src/inner.ts#Options
member [src/inner.ts].limit is src/inner.ts#limit
member [src/tools.ts].connect is src/tools.ts#connect
member [src/tools.ts].default is src/tools.ts#load
member [src/tools.ts].load is src/tools.ts#load
member src/inner.ts#Options.reply is <npm http-client>.Reply{}
member src/store.ts#Store.client is <npm http-client>.default{}
member src/store.ts#Store.constructor is src/store.ts#Store.constructor
member src/store.ts#Store.list is src/store.ts#Store.list
member src/store.ts#Store.pool is <npm http-client>.Pool{}
member src/store.ts#Store.send is src/store.ts#Store.send
glob [src/index.ts].* is <npm http-client/errors>.*
glob [src/index.ts].* is [src/inner.ts].*
type src/store.ts#Store.send is <npm http-client>.Reply{}
type src/store.ts#Store.list is <npm http-client>.Reply{}[]
type src/tools.ts#connect is <npm http-client>.default{}
type src/tools.ts#load is <npm http-client>.default{}[]
super src/store.ts#Store is <npm http-client>.Handler
super src/store.ts#Store is <npm http-client>.Base
import src/index.ts:3 in \"\": <npm http-client/errors>
import src/index.ts:4 in \"\": <npm @acme/log>.default
import src/index.ts:4 in \"\": <npm @acme/log>.Level
import src/inner.ts:1 in \"\": <npm http-client>.Reply
import src/store.ts:1 in \"\": <npm http-client>
import src/store.ts:2 in \"\": <npm http-client>.Reply
import src/store.ts:2 in \"\": <npm http-client>.Handler
import src/store.ts:2 in \"\": <npm http-client>.default
import src/store.ts:3 in \"\": <npm @acme/log>.default
import src/tools.ts:1 in \"\": <npm http-client>.default
reference src/inner.ts:2 in \"Options\": <npm http-client>.Reply
reference src/store.ts:7 in \"Store\": <npm http-client>
reference src/store.ts:7 in \"Store\": <npm http-client>.Handler
reference src/store.ts:7 in \"Store\": <npm http-client>.Base
extends src/store.ts:7 in \"Store\": <npm http-client>.Base
implements src/store.ts:7 in \"Store\": <npm http-client>.Handler
reference src/store.ts:8 in \"Store\": <npm http-client>.default
reference src/store.ts:9 in \"Store.constructor\": <npm http-client>
reference src/store.ts:9 in \"Store.constructor\": <npm http-client>.Pool
call src/store.ts:10 in \"Store.constructor\": <npm http-client>.Base
call src/store.ts:11 in \"Store.constructor\": <npm http-client>.default
reference src/store.ts:15 in \"Store.send\": <npm http-client>.Reply
implements src/store.ts:15 in \"Store.send\": <npm http-client>.Base.send
implements src/store.ts:15 in \"Store.send\": <npm http-client>.Handler.send
call src/store.ts:16 in \"Store.send\": <npm @acme/log>.default.info
reference src/store.ts:16 in \"Store.send\": <npm @acme/log>.default
call src/store.ts:17 in \"Store.send\": <npm http-client>.default{}.get
call src/store.ts:17 in \"Store.send\": <npm http-client>.default{}.get().json
call src/store.ts:18 in \"Store.send\": <npm http-client>.default{}.get().json().check
call src/store.ts:19 in \"Store.send\": <npm http-client>.Pool{}.close
call src/store.ts:20 in \"Store.send\": src/store.ts#Store{}.retry
call src/store.ts:21 in \"Store.send\": <npm http-client>.default{}.open
call src/store.ts:22 in \"Store.send\": <npm http-client>.Reply{}.touch
call src/store.ts:23 in \"Store.send\": <npm http-client>.Reply{}.touch
reference src/store.ts:27 in \"Store.list\": <npm http-client>.Reply
implements src/store.ts:27 in \"Store.list\": <npm http-client>.Base.list
implements src/store.ts:27 in \"Store.list\": <npm http-client>.Handler.list
call src/tools.ts:2 in \"connect\": <npm http-client>.default
reference src/tools.ts:2 in \"connect\": <npm http-client>.default
reference src/tools.ts:3 in \"load\": <npm http-client>.default
request src/store.ts#Store.send:17 asks GET /x
",
    );
}

#[test]
fn what_a_module_imports_for_itself_others_do_not_get_with_all_of_it() {
    check_only(
        &["import", "call", "reference", "glob"],
        "\
//- package.json
{ \"name\": \"svc\", \"version\": \"1.0.0\" }
//- src/service.ts
import { Logger } from 'winston'
export const one = 1
//- src/logger.ts
export class Logger {}
//- src/index.ts
export * from './service'
export * from './logger'
//- src/b.ts
import { Logger } from './index'
export const log = new Logger()
",
        "
glob [src/index.ts].* is [src/service.ts].*
glob [src/index.ts].* is [src/logger.ts].*
import src/service.ts:1 in \"\": <npm winston>.Logger
",
    );
}

#[test]
fn fixtures_and_private_packages_are_nothing_that_others_get() {
    check_only(
        &["package", "need", "module"],
        "\
//- package.json
{ \"name\": \"root\", \"private\": true, \"dependencies\": { \"left\": \"^1\" } }
//- index.ts
export const one = 1
//- packages/test/package.json
{ \"name\": \"@acme/test\", \"version\": \"1.0.0\" }
//- packages/test/index.ts
export const two = 2
//- packages/test/kit.js
exports.three = 3
//- packages/test/kit.d.ts
export declare const three: number
//- packages/test/lib/index.ts
export const four = 4
//- test/fixtures/lodash/package.json
{ \"name\": \"lodash\", \"version\": \"4.0.0\", \"dependencies\": { \"left\": \"^1\" } }
//- test/fixtures/lodash/index.js
module.exports = {}
//- tests/whole/package.json
{ \"name\": \"whole\", \"version\": \"1.0.0\" }
//- tests/whole/index.ts
export const five = 5
",
        "
package npm @acme/test 1.0.0 in \"packages/test\"
need npm left \"^1\" in \"\":1
module npm @acme/test is packages/test/index.ts
module npm @acme/test/index is packages/test/index.ts
module npm @acme/test/kit is packages/test/kit.d.ts
module npm @acme/test/lib is packages/test/lib/index.ts
module npm @acme/test/lib/index is packages/test/lib/index.ts
",
    );
}
