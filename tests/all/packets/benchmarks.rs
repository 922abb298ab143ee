//! A context pack about a benchmark gives the command that measures it, as one about a test gives the command that runs it.

use crate::cli::{Scratch, run};

const BENCHED: &str = "#![feature(test)]\nextern crate test;\n\npub fn decode(raw: &str) -> usize {\n    raw.len()\n}\n\n\
                       #[cfg(test)]\nmod tests {\n    use super::*;\n    use test::Bencher;\n\n    #[bench]\n    fn bench_decode(b: &mut Bencher) {\n        \
                       b.iter(|| decode(\"a\"));\n    }\n\n    #[test]\n    fn decodes() {\n        assert_eq!(decode(\"a\"), 1);\n    }\n}\n";
const CRITERION: &str = "use auth::decode;\nuse criterion::{Criterion, criterion_group, criterion_main};\n\nfn tokens(c: &mut Criterion) {\n    \
                         c.bench_function(\"decode\", |b| b.iter(|| decode(\"a\")));\n}\n\ncriterion_group!(benches, tokens);\ncriterion_main!(benches);\n";
const MARKED: &str = "#![feature(test)]\nextern crate test;\n\n#[bench]\nfn bench_long(b: &mut test::Bencher) {\n    b.iter(|| auth::decode(\"abc\"));\n}\n\n\
                      #[test]\nfn never_run() {\n    assert_eq!(auth::decode(\"abc\"), 3);\n}\n";
const VITEST: &str = "import { bench, describe, test } from 'vitest';\nimport { decode } from '../src/decode';\n\ndescribe('tokens', () => {\n  \
                      bench('decodes short ones', () => {\n    decode('a');\n  });\n  bench.skip('decodes later', () => {\n    decode('b');\n  });\n});\n";

const FILES: [(&str, &str); 13] = [
    ("go/go.mod", "module example.com/auth\n\ngo 1.24\n"),
    ("go/token/token.go", "package token\n\nfunc Decode(raw string) int { return len(raw) }\n"),
    (
        "go/token/token_test.go",
        "package token\n\nimport \"testing\"\n\nfunc BenchmarkDecode(b *testing.B) {\n\tfor b.Loop() {\n\t\tDecode(\"a\")\n\t}\n}\n\nfunc TestDecode(t *testing.T) {\n\tDecode(\"a\")\n}\n",
    ),
    (
        "rust/Cargo.toml",
        "[package]\nname = \"auth\"\nedition = \"2024\"\n\n[dev-dependencies]\ncriterion = \"0.7\"\n\n[[bench]]\nname = \"tokens\"\nharness = false\n",
    ),
    ("rust/src/lib.rs", BENCHED),
    ("rust/benches/tokens.rs", CRITERION),
    ("rust/benches/marked.rs", MARKED),
    (
        "ts/package.json",
        "{\"name\": \"auth\", \"devDependencies\": {\"vitest\": \"3\"}, \"scripts\": {\"test\": \"vitest run\"}}\n",
    ),
    ("ts/src/decode.ts", "export function decode(raw: string): number {\n  return raw.length;\n}\n"),
    ("ts/bench/decode.bench.ts", VITEST),
    (
        "ts/src/decode.test.ts",
        "import { expect, test } from 'vitest';\nimport { decode } from './decode';\n\ntest('decodes', () => {\n  expect(decode('a')).toBe(1);\n});\n",
    ),
    // Nothing says what measures these.
    ("bare/Cargo.toml", "[package]\nname = \"bare\"\nedition = \"2024\"\nautobenches = false\n"),
    (
        "bare/benches/loose.rs",
        "fn loose_bench(c: &mut criterion::Criterion) {\n    c.bench_function(\"x\", |b| b.iter(|| 1));\n}\n",
    ),
];

#[test]
fn a_pack_about_a_benchmark_gives_the_command_that_measures_it() {
    let scratch = Scratch::new();
    for (path, text) in FILES {
        scratch.file(path, text.as_bytes());
    }
    let pack = |folder: &str, intent: &str| {
        let repository = scratch.0.join(folder);
        let repository = repository.to_str().expect("a path");
        let arguments = ["--intent", intent, "--repo", repository, "--packet", "context-pack", "--format", "text", "--no-cache"];
        let answer = run(&[&arguments[..], &["--quiet"]].concat());
        assert_eq!(answer.code, 0, "{answer:?}");
        answer.stdout
    };
    for (folder, intent, command) in [
        ("go", "make BenchmarkDecode faster", "go test ./token -run '^$' -bench '^BenchmarkDecode$'"),
        ("go", "fix TestDecode", "go test ./token -run '^TestDecode$'"),
        ("rust", "make the benchmark bench_decode faster", "cargo bench -p auth --lib -- --exact tests::bench_decode"),
        ("rust", "fix tests::decodes in src/lib.rs", "cargo test -p auth --lib -- --exact tests::decodes"),
        ("rust", "make bench_long in benches/marked.rs faster", "cargo bench -p auth --bench marked -- --exact bench_long"),
        ("rust", "make tokens in benches/tokens.rs faster", "cargo bench -p auth --bench tokens"),
        ("rust", "make benches/tokens.rs faster", "cargo bench -p auth --bench tokens"),
        (
            "ts",
            "make bench/decode.bench.ts:5 faster",
            "npx vitest bench --run bench/decode.bench.ts -t '^tokens decodes short ones$'",
        ),
        (
            "ts",
            "make bench/decode.bench.ts faster",
            "npx vitest bench --run bench/decode.bench.ts -t '^tokens |^tokens decodes short ones$'",
        ),
    ] {
        let text = pack(folder, intent);
        let is_command =
            |line: &str| line.split_once("] ").is_some_and(|(_, rest)| rest.starts_with(&format!("run {command} (")));
        assert!(text.lines().any(is_command), "{intent}: {command}\n{text}");
    }
    // What is not sure has no command.
    for (folder, intent) in [("bare", "make loose_bench faster"), ("rust", "fix never_run in benches/marked.rs")] {
        let text = pack(folder, intent);
        let name = intent.split(' ').nth(1).expect("a name");
        assert!(!text.lines().any(|line| line.contains("cargo bench") && line.contains(name)), "{intent}\n{text}");
    }
}
