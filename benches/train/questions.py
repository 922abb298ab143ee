#!/usr/bin/env python3
"""Makes cases of questions: what a doc comment says is asked, and the definition that it documents is to be found.

    benches/train/questions.py --mirrors DIR --scratch DIR --out questions.jsonl [--count 25] OWNER/NAME...
    activate eval --cases questions.jsonl --repos SCRATCH --follow-alternates --work WORK --no-text [--features questions.table]

Mirrors are DIR/OWNER+NAME/repo, DIR/OWNER+NAME or DIR/OWNER/NAME, bare or not; they are only read. Of each one's newest commit, documented
functions, methods and types of source files (Go, Rust, TypeScript) are drawn, over all files evenly and at most two of a file. In a scratch
repository, SCRATCH/OWNER+NAME/repo, that borrows the mirror's objects, their whole comments are taken away; what is said in a second place of
the repository too is left out. The same seed, count and commit give the same cases.

The commit that takes them away must not tell what was drawn, so history must not see which files it touches. It stands between two trees that
differ by a folder of 1,001 empty files: `activate` takes both commits for bulk changes, which touch no file, and the folder is gone at the end.
"""

import argparse
import itertools
import json
import os
import pathlib
import random
import re
import subprocess

SEED = 7
# Definitions taken of one file at most; how many are drawn for each that is wanted, since some are said in a second place.
PER_FILE, SPARE = 2, 4
LEAST_WORDS, MOST_WORDS, MOST_BARE_WORDS = 5, 40, 16
# Words of a sentence that its definition's name does not have.
LEAST_NEW_WORDS = 3
# One more file than a commit may touch that is no bulk change: MAX_TOUCHED of engine/repo/git/history.rs.
N_BULK = 1_001
MOST_BYTES = 1 << 19
LANGUAGES = {"go": "go", "rs": "rust", "ts": "typescript", "tsx": "typescript"}
# As in engine/eval/sources.rs, shorter: what is no source there is none here.
NO_SOURCE = re.compile(
    r"(^|/)(_*tests?_*|testdata|testing|test[-_]?\w*|[^/]*[-_]tests?|_*mocks?_*|specs?|e2e|playground|fixtures?|__snapshots__|integration|interop"
    r"|([^/]*[-_])?bench(es|marks?|marking)?|fuzz(ing|er)?|_*examples?|samples?|demos?|docs?|website|stress-test|www|vendor|deno_dist|third[_-]?party"
    r"|node_modules|dist|external|_*generated_*)/|(_test\.go|_tests?\.rs|[.-](test|spec|bench|e2e|stories|mock|test-d|type-test)\.tsx?"
    r"|(^|[/_-])mocks?(_.*)?\.(go|ts|rs)|(^|/)(tests?|benches|build)\.rs|(^|/)test[-_][^/]*|\.pb(\.\w+)?\.go|[._-]gen\.\w+|[._-]generated\.\w+"
    r"|(^|/)zz_generated[^/]*|(^|/)bindata\.go|(^|/)gulpfile\.\w+|\.d\.ts|\.min\.\w+|_string\.go|\.config\.[mc]?tsx?)$",
    re.IGNORECASE,
)
GENERATED = re.compile(r"Code generated .* DO NOT EDIT|@generated|AUTO-?GENERATED|automatically generated", re.IGNORECASE)
DEFINITIONS = {
    "go": re.compile(r"func\s+(?:\([^)]*\)\s*)?(\w+)\s*[\[(]|type\s+(\w+)\s"),
    "rust": re.compile(r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|async|const|unsafe|extern\s+\"\w+\")\s+)*(?:fn|struct|enum|trait|type|union)\s+(\w+)"),
    "typescript": re.compile(
        r"\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|interface|type|enum)\s+(\w+)"
        r"|(?:export\s+)?const\s+(\w+)\b.*=\s*(?:async\b|function\b|\(|<|\w+\s*=>)"
        r"|\s+(?:(?:public|private|protected|static|async|override|get|set)\s+)*#?(?!(?:if|for|while|switch|catch|return|new|constructor)\b)(\w+)\s*(?:<[^>]*>)?\(.*\{\s*$"
    ),
}
# Lines between a comment and its definition, and lines of a comment of Go that tools read: such a definition is left out.
ATTRIBUTE = re.compile(r"\s*(#\[.*\]|@\w+(\(.*\))?)\s*$")
DIRECTIVE = re.compile(r"//(go:|nolint|line |export |\+|lint:|nosec|revive:)")
# What ends a first paragraph.
END = re.compile(r"\s*(@\w|#|```|~~~|[-*+] |\d+\. |\||>|$)")
# Sentences that ask for nothing, or that say that they are of no worth.
BAD = re.compile(
    r"\b(deprecated|todo|fixme|xxx|hack|generated|experimental|internal use|for testing|unit tests?|mock\w*|copied from|no-?op|https?|self|see (also|the)|same as)\b"
    r"|^(returns?|gets|implements|satisfies|like|equivalent|see|note|alias|copy|copyright|example|usage|constructor|deprecated|this file)\b|[{}<>=|\\]|->|:(\s|$)|\b(it|there|that)'s\b",
    re.IGNORECASE,
)
VERBS = (
    "accept access acquire activate adapt add adjust aggregate allocate allow append apply assemble assert assign attach attempt begin bind block bound break build bump cache calculate call cancel capture cast change check choose clean clear "
    "clone close collapse collect combine commit compare compile complete compose compute configure connect construct consume contain control convert copy count cover create customize debounce decide declare decode decorate decompress "
    "deduplicate defer define delegate delete deliver deny describe deserialize destroy detach detect determine disable discard dispatch display do download draw drain drop dump duplicate emit enable encode encapsulate enforce ensure enter "
    "escape establish evaluate exclude execute exit expand expect explain export expose extend extract fall fetch fill filter finalize find finish fix flatten flip flush follow force format forward free gather generate get give group guarantee "
    "handle hash help hide hold identify ignore implement import include increment indicate infer inform inherit initialize inject insert inspect install instruct intercept intersect interpret invalidate invert invoke issue iterate join jump "
    "keep kill launch lex limit link list listen load locate lock log lookup loop lower maintain make manage map mark mask match measure merge migrate model modify monitor mount move narrow navigate negotiate normalize notify obtain offer open "
    "optimize order output override own pad parse partition pass patch perform persist pick place poll pop populate prefix prepare prepend preserve prevent print process produce prompt propagate provide prune publish pull push put query queue "
    "quote raise randomize reach read rebuild receive record recover redirect reduce refer refine refresh register reject release reload remove rename render repeat replace report represent request require reset resize resolve restart restore "
    "resume retrieve retry reuse reverse revert rewrite rotate round route run sanitize save scale scan schedule scroll search select send separate serialize serve set show shrink shut shutdown signal skip sleep slice solve sort spawn specify "
    "split start stop store stream strip submit subscribe substitute suggest summarize support suspend swap switch sync synchronize take tell terminate throw toggle tokenize touch track transform translate traverse trigger trim truncate try turn "
    "unescape uninstall unlock unmarshal marshal unregister unset unsubscribe unwrap update upload upgrade use validate verify visit wait walk warn watch wrap write yield"
).split()
THIRD = {form for verb in VERBS for form in (verb + "s", verb + "es", re.sub("y$", "ies", verb))} - set(VERBS)
SHAPES = {
    "third": ("Where is the code that {}?", "Which part of the code {}?", "What {}?"),
    "base": ("Where do we {}?", "How do we {}?", "Where is the code to {}?"),
    "noun": ("Where is {}?", "What is the code for {}?", "How is {} implemented?"),
    "bare": ("What is the code for {}?", "Where is the code for {}?"),
}
ARTICLES = ("a", "an", "the", "all", "each", "every", "any", "its")
# What a sentence begins with that is neither a verb nor a thing.
NO_START = set(
    "and or but it they if when that which on in for with by as of whether we you i can may must should could would do does has have had not only "
    "also always never no whenever where there to at from this these those what how why just once after before true false internal maybe note".split()
)
# A thing of which something is said: a sentence of its own.
SAYS = re.compile(r"(?:(?!\b(?:that|which|who|where|when|if|to|so|whose|how|what|for)\b).)*\b(?:is|are|was|were|has|have|will|can|may|must|should|does|do|be)\b", re.IGNORECASE)
SMALL = set("the and for that this with from into its are was has have which when where will can not given all any used new one two out".split())


def git(folder, *words, given=None, **environment):
    """What git answers."""
    given = given.encode() if isinstance(given, str) else given
    done = subprocess.run(["git", "-C", str(folder), *words], input=given, capture_output=True, check=True, env={**os.environ, **environment})
    return done.stdout.decode("utf-8", "replace").strip()


def blobs(folder, commit):
    """The path, id and text of each file that is text and not too long."""
    listed = subprocess.run(["git", "-C", str(folder), "ls-tree", "-rzl", commit], capture_output=True, check=True).stdout.decode("utf-8", "replace")
    files = [(path, *head.split()) for head, path in (line.split("\t", 1) for line in listed.split("\0") if line)]
    files = [(path, mode, name) for path, mode, kind, name, size in files if kind == "blob" and mode != "120000" and size.isdigit() and int(size) < MOST_BYTES]
    with subprocess.Popen(["git", "-C", str(folder), "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        for path, mode, name in files:
            reader.stdin.write(f"{name}\n".encode())
            reader.stdin.flush()
            data = reader.stdout.read(int(reader.stdout.readline().split()[2]) + 1)[:-1]
            if b"\0" not in data:
                # Bytes that are no text come back as they were.
                yield path, mode, data.decode("utf-8", "surrogateescape")


def comments(lines, language):
    """Each comment that a definition follows: its first and last line, what it says, and the name."""
    end = next((at for at, line in enumerate(lines) if language == "rust" and re.match(r"#\[cfg\(test\)\]", line)), len(lines))
    at = 0
    while at < end:
        first, said = at, []
        if language == "typescript" and re.match(r"\s*/\*\*(?!/)", lines[at]):
            while at < end and "*/" not in lines[at]:
                at += 1
            at += 1
            said = [re.sub(r"^\s*/?\*+/?( |$)|\s*\*/.*$", "", line).rstrip() for line in lines[first:at]]
            said = said[1:] if said and not said[0] else said
        else:
            mark = {"go": r"//(?!/)", "rust": r"\s*///(?!/)", "typescript": r"(?!)"}[language]
            while at < end and re.match(mark, lines[at]):
                said.append(re.sub(mark + " ?", "", lines[at], count=1))
                at += 1
        below = at
        while below < end and ATTRIBUTE.match(lines[below]):
            below += 1
        found = DEFINITIONS[language].match(lines[below]) if said and below < end else None
        if found and not (language == "go" and any(DIRECTIVE.match(line) for line in lines[first:at])):
            yield first, at, said, next(name for name in found.groups() if name)
        at += at == first


def sentence(said):
    """The first sentence of a comment, as plain words."""
    text = " ".join(line.strip() for line in itertools.takewhile(lambda line: not END.match(line), said))
    text = re.sub(r"\{@link\w*\s+([^}|\s]+)[^}]*\}", r"\1", text)
    text = re.sub(r"!?\[([^\]]+)\](\([^)]*\)|\[[^\]]*\])?", r"\1", text).replace("`", "").replace("**", "")
    text = re.split(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)(?<!cf)[.!?;](?=\s|$)", text, maxsplit=1)[0]
    return re.sub(r"\s+", " ", text).strip()


def words_of(name):
    """The beginnings of the words of an identifier."""
    return {word.lower()[:4] for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)}


def question(text, name, chosen):
    """A question from a sentence, without the name of its definition; none where it would be no good one."""
    text, n_named = re.subn(rf"^(?:(?:a|an|the)\s+)?(?:\w+\.)?{re.escape(name)}(?:\(\))?\s+(?=[a-z])", "", text, flags=re.IGNORECASE)
    if n_named and text.split(" ")[0].lower() in ARTICLES:
        # The name is the verb.
        return None
    text = re.sub(r"^(?:this|the) (?:function|method|type|struct|class|interface|hook|trait|enum|helper|utility)\s+(?=[a-z])", "", text, flags=re.IGNORECASE)
    text = re.sub(r"^(?:(?:is|are) (?:used to |responsible for )?|(?:can be )?used? to |will |represents (?=an? |the ))", "", text)
    if not LEAST_WORDS <= len(text.split()) <= MOST_WORDS or BAD.search(text) or not text.isascii():
        return None
    if re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) or text.count("(") != text.count(")") or text.count('"') % 2:
        return None
    words = re.findall(r"[A-Za-z][\w'-]*", text)
    new = {word.lower()[:4] for word in words if len(word) > 2 and word.lower() not in SMALL} - words_of(name)
    if len(new) < LEAST_NEW_WORDS or not re.match(r"[A-Za-z]", text):
        return None
    first, second = words[0].lower(), words[1].lower()
    if first.endswith(("ly", "ed", "ing")) or first in NO_START:
        return None
    if first in ARTICLES:
        kind = "noun"
    elif first in VERBS or first in THIRD or second in ARTICLES or n_named and first.endswith("s"):
        kind = "third" if first in THIRD or first not in VERBS and first.endswith("s") else "base"
    else:
        kind = "bare"
    if kind in ("noun", "bare") and SAYS.match(text) or kind == "bare" and len(words) > MOST_BARE_WORDS:
        return None
    if words[0][1:].islower() or len(words[0]) == 1:
        text = text[0].lower() + text[1:]
    return text, chosen.choice(SHAPES[kind]).format(text)


def plain(text):
    """Text without the signs and line ends of comments."""
    return re.sub(r"[\s/*#!`\[\]]+", " ", text).lower()


def draw(files, count, chosen):
    """Definitions with their questions, spread over files, of which nothing is said in a second place."""
    of_file = {}
    for path, _, text in files:
        language = LANGUAGES.get(path.rsplit(".", 1)[-1])
        lines = text.split("\n")
        if language is None or NO_SOURCE.search(path) or GENERATED.search("\n".join(lines[:15])):
            continue
        for first, last, said, name in comments(lines, language):
            asked = question(sentence(said), name, chosen)
            if asked:
                of_file.setdefault(path, []).append((path, language, name, first, last, *asked))
    turns = [[] for _ in range(PER_FILE)]
    for path in sorted(of_file):
        for turn, found in zip(turns, chosen.sample(of_file[path], len(of_file[path]))):
            turn.append(found)
    drawn = [found for turn in turns for found in chosen.sample(turn, len(turn))][: SPARE * count]
    sentences = [plain(found[5]) for found in drawn]
    seen = [0] * len(drawn)
    for _, _, text in files:
        text = plain(text)
        for at, words in enumerate(sentences):
            seen[at] += text.count(words) if seen[at] < 2 else 0
    return [found for found, times in zip(drawn, seen) if times == 1][:count]


def without(folder, mirror, commit, files, drawn):
    """The commit of a scratch repository in which the comments are gone."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main")
    objects = pathlib.Path(git(mirror, "rev-parse", "--path-format=absolute", "--git-path", "objects"))
    (folder / "objects/info/alternates").write_text(f"{objects}\n")
    index = {"GIT_INDEX_FILE": str(folder.resolve() / "drawn.index")}
    git(folder, "read-tree", commit, **index)
    gone = {}
    for path, _, _, first, last, *_ in drawn:
        gone.setdefault(path, set()).update(range(first, last))
    for path, mode, text in files:
        if path in gone:
            kept = "\n".join(line for at, line in enumerate(text.split("\n")) if at not in gone[path])
            blob = git(folder, "hash-object", "-w", "--stdin", given=kept.encode("utf-8", "surrogateescape"))
            git(folder, "update-index", "--index-info", given=f"{mode} {blob}\t{path}\n", **index)
    tree = git(folder, "write-tree", "--missing-ok", **index)
    empty = git(folder, "hash-object", "-w", "--stdin", given=b"")
    bulk = git(folder, "mktree", given="".join(f"100644 blob {empty}\t{number:04}\n" for number in range(N_BULK)))
    both = git(folder, "mktree", "--missing", given=f"{git(folder, 'ls-tree', tree)}\n040000 tree {bulk}\t.bulk\n")
    date = git(mirror, "log", "-1", "--format=%cI", commit)
    who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "x"), ("EMAIL", "x@x"), ("DATE", date))}
    first = git(folder, "commit-tree", both, "-p", commit, given="bulk", **who)
    last = git(folder, "commit-tree", tree, "-p", first, given="bulk", **who)
    git(folder, "update-ref", "refs/heads/main", last)
    pathlib.Path(index["GIT_INDEX_FILE"]).unlink()
    return last


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", metavar="OWNER/NAME")
    parser.add_argument("--mirrors", required=True, type=pathlib.Path)
    parser.add_argument("--scratch", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--count", default=25, type=int, help="questions of each repository at most")
    options = parser.parse_args()
    with open(options.out, "w") as out:
        for name in options.repositories:
            joined = name.replace("/", "+")
            mirror = next(at for at in (options.mirrors / joined / "repo", options.mirrors / joined, options.mirrors / name) if at.is_dir())
            commit, date = git(mirror, "log", "-1", "--format=%H %cs").split()
            files = list(blobs(mirror, commit))
            drawn = draw(files, options.count, random.Random(f"{SEED} {name}"))
            print(f"{name}: {len(drawn)} questions", flush=True)
            if not drawn:
                continue
            parent = without(options.scratch / joined / "repo", mirror, commit, files, drawn)
            for number, (path, language, definition, *_, asked) in enumerate(drawn):
                case = {"id": f"question:{name}@{commit[:10]}:{number:02}", "repo": name, "language": language, "date": date, "parent": parent}
                case |= {"intent": asked, "gold": [path], "gold_symbols": [f"{path}#{definition}"], "tier": "described"}
                out.write(json.dumps(case) + "\n")


if __name__ == "__main__":
    main()
