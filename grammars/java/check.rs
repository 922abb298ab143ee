//! Commands of Maven and Gradle over all modules that are built together.
//!
//! They are those of PATH: wrappers of a repository would bring programs from outside.

use super::project::{Builds, JavaProject, Module, Tool};
use crate::check::{Check, What};
use crate::project::is_below;

/// Folders whose manifests are of examples for tests, or of what builds the build.
const ASIDE: [&str; 2] = ["src", "buildSrc"];

/// The checks of all modules that no other lists.
pub(super) fn checks(project: &JavaProject) -> Vec<Check> {
    let is_top = |module: &&Module| module.top == module.folder && !module.folder.split('/').any(|part| ASIDE.contains(&part));
    project.modules.iter().filter(is_top).flat_map(|module| of_module(project, module)).collect()
}

fn of_module(project: &JavaProject, module: &Module) -> Vec<Check> {
    let check = |what, needs, command: &[&str]| Check::new(what, &module.folder, needs, command);
    if module.tool == Tool::Maven {
        return vec![
            check(What::Build, "mvn", &["mvn", "-B", "-q", "-fae", "test-compile"]),
            // Shortened traces name the test alone, and not where it failed.
            check(What::Test, "mvn", &["mvn", "-B", "-fae", "test", "-DtrimStackTrace=false"]),
        ];
    }
    let is_around =
        |other: &Module| other.has_settings && other.folder != module.folder && is_below(&module.folder, &other.folder);
    let is_part = !module.has_settings && project.modules.iter().any(|other| other.tool == Tool::Gradle && is_around(other));
    let inside = project.modules.iter().filter(|other| other.tool == Tool::Gradle && other.top == module.folder);
    let most = inside.map(|other| other.builds).max();
    if is_part || most != Some(Builds::Java) {
        return Vec::new();
    }
    vec![
        check(What::Build, "gradle", &["gradle", "-q", "--console=plain", "--continue", "testClasses"]),
        check(What::Test, "gradle", &["gradle", "--console=plain", "--continue", "test"]),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::LANGUAGE;
    use crate::check::lines;

    #[test]
    fn all_modules_of_maven_are_checked_together() {
        let all = "build: mvn -B -q -fae test-compile\ntest: mvn -B -fae test -DtrimStackTrace=false\n";
        let top = "<project><modules><module>core</module></modules></project>";
        let manifests = [("core/pom.xml", "<project/>"), ("pom.xml", top), ("src/it/a/pom.xml", "<project/>")];
        assert_eq!(lines(&LANGUAGE, &manifests, &["mvnw"]), all);
        let apart = all.replace(": mvn", ": cd x && mvn");
        assert_eq!(lines(&LANGUAGE, &[("x/pom.xml", "<project/>")], &[]), apart);
    }

    #[test]
    fn builds_of_gradle_are_checked_that_speak_of_java() {
        let all = "build: gradle -q --console=plain --continue testClasses\ntest: gradle --console=plain --continue test\n";
        let java = "plugins { id 'java-library' }";
        let settings = ("settings.gradle.kts", "include(\":core\")");
        assert_eq!(lines(&LANGUAGE, &[("build.gradle", java)], &[]), all);
        assert_eq!(lines(&LANGUAGE, &[("core/build.gradle.kts", java), ("other/build.gradle", java), settings], &[]), all);
        assert_eq!(lines(&LANGUAGE, &[("build.gradle", "plugins { id 'base' }")], &[]), "");
        let android = ("core/build.gradle", "plugins { id 'com.android.library' }\njava {}");
        assert_eq!(lines(&LANGUAGE, &[android, settings], &[]), "");
        let two = all.replace(": gradle", ": cd x && gradle");
        assert_eq!(lines(&LANGUAGE, &[("x/build.gradle", java), ("x/settings.gradle", "")], &[]), two);
    }
}
