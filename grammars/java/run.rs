//! `mvn test` and `gradle test` by classes and methods, from the folder that builds all modules together.
//!
//! A class is named with its package where its path says it: what stands behind `src/test/java`.

use super::project::{Builds, JavaProject, Module, Tool};
use crate::facts::{SymbolKind, Traits};
use crate::project::is_below;
use crate::run::{Naming, Runner, TestFile, TestName, path, quoted, unique};

/// The folder of sources, and what folders below it are called in which packages begin.
const SOURCES: &str = "src";
const LANGUAGES: [&str; 4] = ["java", "kotlin", "groovy", "scala"];
/// The folder of tests that Gradle's task `test` runs.
const TESTS: &str = "test";

/// Why other modules do not fail that have no such test.
const NO_TEST_IS_FINE: &str = "-Dsurefire.failIfNoSpecifiedTests=false";

/// How the tests of a file are run.
pub(super) fn runner(project: &JavaProject, file: &TestFile<'_>) -> Option<Runner> {
    let module = project.module_of(file.path).filter(|_| file.has_tests)?;
    let top = project.module_at(&module.top)?;
    if module.tool == Tool::Maven { maven(module, top, file.path) } else { gradle(project, module, top, file.path) }
}

/// `mvn -q -pl core -am test`, which builds what the module needs as well.
fn maven(module: &Module, top: &Module, file: &str) -> Option<Runner> {
    if !module.roots.get(1).is_some_and(|tests| is_below(file, tests)) {
        return None;
    }
    let program = if top.has_wrapper { "./mvnw" } else { "mvn" };
    let command = if top.lists.is_empty() {
        format!("{program} -q test")
    } else {
        let inner = below(&module.folder, &top.folder);
        let inner = if inner.is_empty() { "." } else { inner };
        format!("{program} -q -pl {} -am test {NO_TEST_IS_FINE}", path(inner))
    };
    Some(Runner { folder: top.folder.clone(), command, naming: Naming::Classes })
}

/// `gradle :core:test`, or `gradle test` in the folder of what no settings list.
fn gradle(project: &JavaProject, module: &Module, top: &Module, file: &str) -> Option<Runner> {
    // What settings list needs no script of its own.
    let listed = top.lists.iter().filter(|list| is_below(file, list)).max_by_key(|list| list.len());
    let folder = listed.map_or(top.folder.as_str(), String::as_str);
    let mut parts = below(file, folder).split('/');
    let is_of_task = parts.next() == Some(SOURCES) && parts.next() == Some(TESTS);
    if !is_of_task || [module.builds, top.builds].contains(&Builds::Android) || listed.is_none() && top.builds == Builds::Nothing
    {
        return None;
    }
    let program = match project.wrapper_above(&top.folder) {
        Some(0) => "./gradlew".to_owned(),
        Some(n_above) => format!("{}gradlew", "../".repeat(n_above)),
        None => "gradle".to_owned(),
    };
    let task = match listed {
        Some(list) => format!(":{}:test", below(list, &top.folder).replace('/', ":")),
        None if top.lists.is_empty() => "test".to_owned(),
        None => ":test".to_owned(),
    };
    Some(Runner { folder: top.folder.clone(), command: format!("{program} {}", path(&task)), naming: Naming::Filters })
}

impl JavaProject {
    /// How many folders above a folder the nearest one is that has a wrapper of Gradle.
    fn wrapper_above(&self, folder: &str) -> Option<usize> {
        let mut at = folder;
        for n_above in 0.. {
            if self.module_at(at).is_some_and(|module| module.tool == Tool::Gradle && module.has_wrapper) {
                return Some(n_above);
            }
            if at.is_empty() {
                break;
            }
            at = at.rsplit_once('/').map_or("", |(above, _)| above);
        }
        None
    }
}

/// What stands behind a folder in a path.
fn below<'p>(path: &'p str, folder: &str) -> &'p str {
    if folder.is_empty() { path } else { path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/') }
}

/// The flags that name tests.
pub(super) fn select(naming: Naming, tests: &[TestName<'_>]) -> Option<String> {
    let named: Option<Vec<(String, Option<&str>)>> = tests.iter().map(|test| name(test, naming)).collect();
    let mut named = named?;
    // A class that is run as a whole is run with what is inside of it.
    let wholes: Vec<String> = named.iter().filter(|(_, method)| method.is_none()).map(|(class, _)| class.clone()).collect();
    named.retain(|(class, method)| {
        let is_inside = |whole: &String| class.strip_prefix(whole.as_str()).is_some_and(|rest| rest.starts_with('$'));
        !(wholes.iter().any(is_inside) || method.is_some() && wholes.contains(class))
    });
    if naming == Naming::Filters {
        let filters = named.iter().flat_map(|(class, method)| match method {
            Some(method) => vec![format!("{class}.{method}")],
            None => vec![class.clone(), format!("{class}$*")],
        });
        let words: Vec<String> = unique(filters).iter().map(|filter| format!(" --tests {}", quoted(filter))).collect();
        return Some(words.concat());
    }
    let classes = unique(named.iter().map(|(class, _)| class.clone()));
    let written = classes.iter().map(|class| {
        let methods: Option<Vec<String>> =
            named.iter().filter(|(other, _)| other == class).map(|(_, method)| method.map(str::to_owned)).collect();
        match methods {
            Some(methods) => format!("{class}#{}", unique(methods.into_iter()).join("+")),
            // Classes inside are no part of it.
            None => format!("{class},{class}$*"),
        }
    });
    Some(format!(" -Dtest={}", quoted(&written.collect::<Vec<_>>().join(","))))
}

/// How classes are called of which only others that inherit their tests are run.
const INHERITED: &str = "Abstract";

/// The class of a test, and its method unless all of the class is meant. Nothing where it does not run.
fn name<'t>(test: &TestName<'t>, naming: Naming) -> Option<(String, Option<&'t str>)> {
    let is_method = |kind| matches!(kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Test);
    let method = test.levels.last().filter(|last| is_method(last.kind));
    let classes = &test.levels[..test.levels.len() - usize::from(method.is_some())];
    let is_run = method.is_none_or(|method| method.traits.has(Traits::TEST));
    let is_skipped = test.levels.iter().any(|level| level.traits.has(Traits::SKIPPED));
    let (file, _) = test.module.rsplit('/').next()?.rsplit_once('.')?;
    let names: Vec<&str> = match classes {
        [] if method.is_none() => vec![file],
        [] => return None,
        classes => classes.iter().map(|level| level.name).collect(),
    };
    let is_class = classes.iter().all(|level| level.kind == SymbolKind::Type);
    let is_named = names.iter().copied().chain(method.map(|method| method.name)).all(is_name);
    let is_inherited =
        names.iter().any(|name| name.strip_prefix(INHERITED).is_some_and(|rest| rest.starts_with(char::is_uppercase)));
    if !is_class || !is_run || is_skipped || is_inherited || !is_named {
        return None;
    }
    let class = names.join("$");
    let class = match package(test.module) {
        Some(package) if package.is_empty() => class,
        Some(package) => format!("{package}.{class}"),
        None if naming == Naming::Filters => format!("*.{class}"),
        None => class,
    };
    Some((class, method.map(|method| method.name)))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

/// The package of a file, where its path says it.
fn package(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let is_root = |at: &usize| parts[at - 2] == SOURCES && LANGUAGES.contains(&parts[*at]);
    let root = (2..parts.len()).find(is_root)?;
    let package = parts.get(root + 1..parts.len() - 1)?;
    package.iter().all(|part| is_name(part)).then(|| package.join("."))
}

#[cfg(test)]
mod tests {
    use super::super::LANGUAGE;
    use super::*;
    use crate::project::Manifest;
    use crate::run::Level;

    fn line(manifests: &[(&str, &str)], others: &[&str], file: &str) -> String {
        let manifests: Vec<Manifest<'_>> = manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
        let project = (LANGUAGE.project.load)(&manifests, &|path| others.contains(&path));
        let runner = project.runner(&TestFile { path: file, root: None, imports: &[], has_tests: true });
        runner.map_or("none".to_owned(), |runner| runner.line(""))
    }

    #[test]
    fn modules_of_maven_are_run_from_where_they_are_listed() {
        let top = "<project><modules><module>web</module></modules></project>";
        let web = "<project><modules><module>api</module></modules></project>";
        let all = [("pom.xml", top), ("web/api/pom.xml", "<project/>"), ("web/pom.xml", web), ("x/pom.xml", "<project/>")];
        let api = "mvn -q -pl web/api -am test -Dsurefire.failIfNoSpecifiedTests=false";
        assert_eq!(line(&all, &[], "web/api/src/test/java/a/ATest.java"), api);
        assert_eq!(
            line(&all, &["mvnw", "x/mvnw"], "web/api/src/test/java/a/ATest.java"),
            format!("./{}", api.replace("mvn ", "mvnw "))
        );
        assert_eq!(line(&all, &["x/mvnw"], "x/src/test/java/a/ATest.java"), "cd x && ./mvnw -q test");
        assert_eq!(line(&all, &[], "src/test/java/ATest.java"), "mvn -q -pl . -am test -Dsurefire.failIfNoSpecifiedTests=false");
        assert_eq!(line(&all, &[], "x/src/it/java/a/ATest.java"), "none");
        assert_eq!(line(&[], &[], "src/test/java/a/ATest.java"), "none");
        let test = "<project><build><testSourceDirectory>tests</testSourceDirectory></build></project>";
        assert_eq!(line(&[("pom.xml", test)], &[], "tests/a/ATest.java"), "mvn -q test");
    }

    #[test]
    fn projects_of_gradle_are_run_by_their_paths() {
        let settings = ("settings.gradle", "include ':core', ':web:api'");
        let all =
            [("build.gradle", "allprojects { apply plugin: 'java' }"), settings, ("tools/build.gradle", "plugins { id 'java' }")];
        assert_eq!(line(&all, &[], "web/api/src/test/java/a/ATest.java"), "gradle :web:api:test");
        assert_eq!(line(&all, &["gradlew"], "core/src/test/java/a/ATest.java"), "./gradlew :core:test");
        assert_eq!(line(&all, &["gradlew"], "src/test/java/a/ATest.java"), "./gradlew :test");
        assert_eq!(line(&all, &["gradlew"], "tools/src/test/java/a/ATest.java"), "cd tools && ../gradlew test");
        assert_eq!(line(&all, &[], "core/src/integrationTest/java/a/AIT.java"), "none", "its task has another name");
        let android = [("app/build.gradle", "plugins { id 'com.android.application' }"), ("settings.gradle", "include ':app'")];
        assert_eq!(line(&android, &[], "app/src/test/java/a/ATest.java"), "none");
    }

    #[test]
    fn tests_are_named_by_their_classes() {
        let level = |name, kind, traits| Level { name, kind, traits, n_before: 0 };
        let class = |name| level(name, SymbolKind::Type, Traits::TEST_CODE);
        let method = |name| level(name, SymbolKind::Method, Traits::TEST);
        let select = |naming, module: &str, tests: &[&[Level<'_>]]| {
            let tests: Vec<TestName<'_>> = tests.iter().map(|levels| TestName { module, levels: levels.to_vec() }).collect();
            super::select(naming, &tests).unwrap_or_default()
        };
        let file = "core/src/test/java/org/example/HallTest.java";
        let (outer, inner) = ([class("HallTest"), method("opens")], [class("HallTest"), class("Empty"), method("opens")]);
        let closes = [class("HallTest"), method("closes")];
        let all: [&[Level<'_>]; 4] = [&outer, &inner, &closes, &outer];
        assert_eq!(
            select(Naming::Classes, file, &all),
            " -Dtest='org.example.HallTest#opens+closes,org.example.HallTest$Empty#opens'"
        );
        assert_eq!(
            select(Naming::Filters, file, &all),
            " --tests 'org.example.HallTest.opens' --tests 'org.example.HallTest$Empty.opens' --tests 'org.example.HallTest.closes'"
        );
        assert_eq!(select(Naming::Classes, file, &[&[]]), " -Dtest='org.example.HallTest,org.example.HallTest$*'");
        let whole: [&[Level<'_>]; 3] = [&inner, &[], &outer];
        assert_eq!(select(Naming::Classes, file, &whole), " -Dtest='org.example.HallTest,org.example.HallTest$*'");
        assert_eq!(select(Naming::Filters, "tests/HallTest.java", &[&outer]), " --tests '*.HallTest.opens'");
        assert_eq!(select(Naming::Classes, "tests/HallTest.java", &[&outer]), " -Dtest='HallTest#opens'");
        let skipped = level("later", SymbolKind::Method, Traits(Traits::TEST.0 | Traits::SKIPPED.0));
        let helper = level("helper", SymbolKind::Method, Traits::TEST_CODE);
        for none in [
            &[class("HallTest"), skipped],
            &[class("HallTest"), helper],
            &[class("Hall'Test"), method("opens")],
            &[class("AbstractTest"), method("opens")],
        ] {
            assert_eq!(select(Naming::Classes, file, &[none]), "");
        }
        assert_eq!(select(Naming::Classes, file, &[&[method("opens")]]), "", "a method without a class");
    }
}
