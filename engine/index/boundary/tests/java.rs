//! Java.

use super::check;

#[test]
fn what_java_shows_and_needs() {
    check(
        "\
//- pom.xml
<project>
  <groupId>org.acme</groupId>
  <artifactId>store</artifactId>
  <version>1.2</version>
  <properties><client.version>3.1</client.version></properties>
  <dependencies>
    <dependency>
      <groupId>net.http</groupId>
      <artifactId>client</artifactId>
      <version>${client.version}</version>
    </dependency>
  </dependencies>
</project>
//- src/main/java/org/acme/store/Store.java
package org.acme.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.http.Client;
import net.http.Reply;
import net.http.pool.*;
import static net.http.Checks.verifyReply;

public class Store extends net.http.Base implements Pool {
    private final Client client;
    private List<Reply> replies;

    public Store(Client client) {
        super(client);
        this.client = client;
    }

    public Reply send(String key) {
        Reply reply = client.get(key).first();
        reply.check();
        verifyReply(reply);
        retry();
        this.retry();
        new Client(3).open();
        for (Reply each : replies) {
            each.touch();
        }
        last().orElseThrow().done();
        Client.builder().build();
        helper();
        return reply;
    }

    public Optional<Reply> last() { return Optional.empty(); }

    private void helper() {}
}
//- src/main/java/org/acme/app/App.java
package org.acme.app;

import org.acme.store.Store;

class App {
    void run(Store store) {
        store.send(\"x\").finish();
        store.close();
    }
}
",
        "\
package maven org.acme:store 1.2 in \"\"
need maven net.http:client \"3.1\" in \"\":9
module maven org.acme.app is src/main/java/org/acme/app/App.java
module maven org.acme.store is src/main/java/org/acme/store/Store.java
member [src/main/java/org/acme/store/Store.java].Store is src/main/java/org/acme/store/Store.java#Store
member src/main/java/org/acme/store/Store.java#Store.Store is src/main/java/org/acme/store/Store.java#Store.Store
member src/main/java/org/acme/store/Store.java#Store.last is src/main/java/org/acme/store/Store.java#Store.last
member src/main/java/org/acme/store/Store.java#Store.send is src/main/java/org/acme/store/Store.java#Store.send
type src/main/java/org/acme/store/Store.java#Store.send is <maven net.http>.Reply{}
type src/main/java/org/acme/store/Store.java#Store.last is <maven net.http>.Reply{}
super src/main/java/org/acme/store/Store.java#Store is <maven net.http>.Base
super src/main/java/org/acme/store/Store.java#Store is <maven net.http.pool>.Pool
import src/main/java/org/acme/store/Store.java:6 in \"\": <maven net.http>.Client
import src/main/java/org/acme/store/Store.java:7 in \"\": <maven net.http>.Reply
import src/main/java/org/acme/store/Store.java:8 in \"\": <maven net.http.pool>
import src/main/java/org/acme/store/Store.java:9 in \"\": <maven net.http>.Checks.verifyReply
call src/main/java/org/acme/app/App.java:7 in \"App.run\": <maven net.http>.Reply{}.finish
call src/main/java/org/acme/app/App.java:8 in \"App.run\": src/main/java/org/acme/store/Store.java#Store{}.close
reference src/main/java/org/acme/store/Store.java:11 in \"Store\": <maven net.http>.Base
reference src/main/java/org/acme/store/Store.java:11 in \"Store\": <maven net.http.pool>.Pool
extends src/main/java/org/acme/store/Store.java:11 in \"Store\": <maven net.http>.Base
implements src/main/java/org/acme/store/Store.java:11 in \"Store\": <maven net.http.pool>.Pool
reference src/main/java/org/acme/store/Store.java:12 in \"Store\": <maven net.http>.Client
reference src/main/java/org/acme/store/Store.java:13 in \"Store\": <maven net.http>.Reply
reference src/main/java/org/acme/store/Store.java:15 in \"Store.Store\": <maven net.http>.Client
call src/main/java/org/acme/store/Store.java:16 in \"Store.Store\": <maven net.http>.Base
reference src/main/java/org/acme/store/Store.java:20 in \"Store.send\": <maven net.http>.Reply
call src/main/java/org/acme/store/Store.java:21 in \"Store.send\": <maven net.http>.Client{}.get
call src/main/java/org/acme/store/Store.java:21 in \"Store.send\": <maven net.http>.Client{}.get().first
reference src/main/java/org/acme/store/Store.java:21 in \"Store.send\": <maven net.http>.Reply
call src/main/java/org/acme/store/Store.java:22 in \"Store.send\": <maven net.http>.Reply{}.check
call src/main/java/org/acme/store/Store.java:23 in \"Store.send\": <maven net.http>.Checks.verifyReply, of site 1 by rank 0
call src/main/java/org/acme/store/Store.java:23 in \"Store.send\": src/main/java/org/acme/store/Store.java#Store{}.verifyReply, of site 1 by rank 0
call src/main/java/org/acme/store/Store.java:24 in \"Store.send\": src/main/java/org/acme/store/Store.java#Store{}.retry
call src/main/java/org/acme/store/Store.java:25 in \"Store.send\": src/main/java/org/acme/store/Store.java#Store{}.retry
call src/main/java/org/acme/store/Store.java:26 in \"Store.send\": <maven net.http>.Client
call src/main/java/org/acme/store/Store.java:26 in \"Store.send\": <maven net.http>.Client{}.open
reference src/main/java/org/acme/store/Store.java:27 in \"Store.send\": <maven net.http>.Reply
call src/main/java/org/acme/store/Store.java:28 in \"Store.send\": <maven net.http>.Reply{}.touch
call src/main/java/org/acme/store/Store.java:30 in \"Store.send\": <maven net.http>.Reply{}.orElseThrow
call src/main/java/org/acme/store/Store.java:30 in \"Store.send\": <maven net.http>.Reply{}.orElseThrow().done, of site 2 by rank 0
call src/main/java/org/acme/store/Store.java:30 in \"Store.send\": <maven net.http>.Reply{}.done, of site 2 by rank 0
call src/main/java/org/acme/store/Store.java:31 in \"Store.send\": <maven net.http>.Client.builder
call src/main/java/org/acme/store/Store.java:31 in \"Store.send\": <maven net.http>.Client.builder().build
reference src/main/java/org/acme/store/Store.java:31 in \"Store.send\": <maven net.http>.Client
reference src/main/java/org/acme/store/Store.java:36 in \"Store.last\": <maven net.http>.Reply
",
    );
}
