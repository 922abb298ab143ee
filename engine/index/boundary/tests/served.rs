//! Routes and procedures.

use super::check;

#[test]
fn what_a_repository_asks_for_and_serves_by_name() {
    check(
        "\
//- proto/shop.proto
syntax = \"proto3\";
package acme.shop.v1;
service Shop {
  rpc Buy(Order) returns (Reply);
  rpc Sell(Order) returns (Reply);
}
//- web/client.ts
export async function load(id: string) {
  await fetch(`${base}/api/orders/${id}`)
  return fetch('/api/own')
}
//- web/server.ts
import express from 'express'
const app = express()
app.get('/api/own', own)
function own(req: any, res: any) {}
//- server/main.go
package main

import pb \"example.org/shop/gen\"

type server struct{ pb.UnimplementedShopServer }

func (s *server) Buy(o *pb.Order) (*pb.Reply, error) { return nil, nil }
",
        "\
import server/main.go:3 in \"\": <go example.org/shop/gen>
import web/server.ts:1 in \"\": <npm express>.default
call web/server.ts:3 in \"\": <npm express>.default().get
reference server/main.go:5 in \"server\": <go example.org/shop/gen>
reference server/main.go:5 in \"server\": <go example.org/shop/gen>.UnimplementedShopServer
extends server/main.go:5 in \"server\": <go example.org/shop/gen>.UnimplementedShopServer
reference server/main.go:7 in \"server.Buy\": <go example.org/shop/gen>
reference server/main.go:7 in \"server.Buy\": <go example.org/shop/gen>.Order
reference server/main.go:7 in \"server.Buy\": <go example.org/shop/gen>.Reply
call web/server.ts:2 in \"app\": <npm express>.default
request web/client.ts#load:2 asks GET …/api/orders/{}
procedure acme.shop.v1.Shop/Buy declared in proto/shop.proto:4
procedure acme.shop.v1.Shop/Buy served by server/main.go#server.Buy:7
procedure acme.shop.v1.Shop/Sell declared in proto/shop.proto:5
",
    );
}
