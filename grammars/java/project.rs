//! Manifests of Java to modules: folders that Maven or Gradle builds together, with where their sources and tests lie.
//!
//! Names need no roots, since each file says its package: modules tell apart what has the same name twice.

use super::check::checks;
use super::outward::{Artifacts, is_standard};
use super::pom::Pom;
use super::run::runner;
use crate::check::Check;
use crate::project::{Candidates, Manifest, Need, Package, Project, ProjectRules, Registry, folder_of, is_below, join};
use crate::run::{Runner, TestFile};
use std::collections::BTreeMap;

pub(super) const RULES: ProjectRules = ProjectRules {
    is_manifest: |name| MANIFESTS.contains(&name),
    runs_by: "a pom.xml or a build.gradle above it",
    vendored_in: &[],
    load,
};

/// Files that make their folder a module, and those that list others.
const MANIFESTS: [&str; 5] = ["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

/// Where sources and tests lie where no manifest says so.
const CUSTOMARY: [&str; 2] = ["src/main/java", "src/test/java"];

/// What builds a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tool {
    Maven,
    Gradle,
}

/// What a module builds, by the words of its scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Builds {
    /// Nothing: it has no script, or settings alone.
    Nothing,
    /// What does not speak of Java.
    Other,
    Java,
    /// For Android, whose tasks have other names.
    Android,
}

/// A folder that is built together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Module {
    pub(super) folder: String,
    pub(super) tool: Tool,
    /// Its `artifactId`, or the last name of the path by which Gradle knows it.
    pub(super) name: String,
    /// The folders of sources and of tests.
    pub(super) roots: Vec<String>,
    /// The folders of the modules that it lists.
    pub(super) lists: Vec<String>,
    /// The folder of the outermost module that lists it, or one that does; else its own.
    pub(super) top: String,
    /// What its scripts build.
    pub(super) builds: Builds,
    /// The script that builds for Android.
    pub(super) android: Option<String>,
    /// Whether it has settings of Gradle.
    pub(super) has_settings: bool,
    /// Whether the script that brings the tool lies in its folder.
    pub(super) has_wrapper: bool,
}

/// The scripts that bring Maven and Gradle.
pub(super) const WRAPPERS: [&str; 2] = ["mvnw", "gradlew"];

/// What scripts of Gradle say of Java and of Android.
const JAVA: &str = "java";
const ANDROID: &str = "com.android.";

/// The most modules that list each other.
const MAX_LEVELS: usize = 16;

#[derive(Debug, Default)]
pub(super) struct JavaProject {
    /// Longest folder first, so that the first that holds a file is the innermost.
    pub(super) modules: Vec<Module>,
    /// Poms by folder, for what they publish and ask for.
    poms: Vec<(String, String)>,
}

fn load(manifests: &[Manifest<'_>], exists: &dyn Fn(&str) -> bool) -> Box<dyn Project> {
    let mut project = JavaProject::read(manifests);
    for module in &mut project.modules {
        module.has_wrapper = join(&module.folder, module.wrapper()).is_some_and(|path| exists(&path));
    }
    Box::new(project)
}

impl Builds {
    /// What a script of Gradle builds.
    fn by(script: &str) -> Self {
        match (script.contains(ANDROID), script.contains(JAVA)) {
            (true, _) => Self::Android,
            (_, true) => Self::Java,
            _ => Self::Other,
        }
    }
}

impl JavaProject {
    pub(super) fn read(manifests: &[Manifest<'_>]) -> Self {
        let mut found: BTreeMap<&str, Module> = BTreeMap::new();
        let mut poms = Vec::new();
        for manifest in manifests {
            let (folder, file) = (folder_of(manifest.path), manifest.path.rsplit('/').next().unwrap_or(manifest.path));
            let tool = if file == MANIFESTS[0] { Tool::Maven } else { Tool::Gradle };
            let module = found.entry(folder).or_insert_with(|| Module::new(folder, tool));
            if tool == Tool::Maven {
                module.read_pom(&Pom::read(manifest.text));
                poms.push((folder.to_owned(), manifest.text.to_owned()));
            } else if file.starts_with("settings") {
                module.has_settings = true;
                module.lists.extend(included(manifest.text).iter().filter_map(|path| join(folder, path)));
            } else {
                let builds = Builds::by(manifest.text);
                module.builds = module.builds.max(builds);
                if builds == Builds::Android && module.android.is_none() {
                    module.android = Some(manifest.path.to_owned());
                }
            }
        }
        let mut modules: Vec<Module> = found.into_values().collect();
        let listed: BTreeMap<(Tool, String), String> = modules
            .iter()
            .flat_map(|module| module.lists.iter().map(|list| ((module.tool, list.clone()), module.folder.clone())))
            .filter(|((_, list), folder)| list != folder)
            .collect();
        for module in &mut modules {
            for _ in 0..MAX_LEVELS {
                let Some(above) = listed.get(&(module.tool, module.top.clone())) else { break };
                module.top.clone_from(above);
            }
        }
        modules.sort_by(|a, b| b.folder.len().cmp(&a.folder.len()).then_with(|| a.folder.cmp(&b.folder)));
        Self { modules, poms }
    }

    /// The module of a folder.
    pub(super) fn module_at(&self, folder: &str) -> Option<&Module> {
        self.modules.iter().find(|module| module.folder == folder)
    }

    /// The innermost module that holds a file.
    pub(super) fn module_of(&self, path: &str) -> Option<&Module> {
        self.modules.iter().find(|module| is_below(path, &module.folder))
    }
}

impl Module {
    fn new(folder: &str, tool: Tool) -> Self {
        let name = folder.rsplit('/').next().unwrap_or(folder).to_owned();
        let roots = CUSTOMARY.iter().filter_map(|root| join(folder, root)).collect();
        Self {
            folder: folder.to_owned(),
            tool,
            name,
            roots,
            lists: Vec::new(),
            top: folder.to_owned(),
            builds: Builds::Nothing,
            android: None,
            has_settings: false,
            has_wrapper: false,
        }
    }

    /// The script that brings its tool.
    pub(super) fn wrapper(&self) -> &'static str {
        if self.tool == Tool::Maven { WRAPPERS[0] } else { WRAPPERS[1] }
    }

    fn read_pom(&mut self, pom: &Pom) {
        self.tool = Tool::Maven;
        self.builds = Builds::Java;
        if !pom.artifact.is_empty() {
            self.name.clone_from(&pom.artifact);
        }
        let folder = self.folder.clone();
        for (root, said) in self.roots.iter_mut().zip([&pom.sources, &pom.tests]) {
            if let Some(path) = said.as_ref().and_then(|said| join(&folder, said.trim_start_matches("${project.basedir}/"))) {
                *root = path;
            }
        }
        self.lists.extend(pom.modules.iter().filter_map(|path| join(&folder, path)));
    }
}

/// The folders that settings of Gradle include: `include ':core', ':web:api'`. A text that is put together when it runs is not read.
fn included(settings: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_included = false;
    for line in settings.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let rest = line.strip_prefix("include").filter(|rest| rest.starts_with([' ', '(', '\t']));
        let Some(words) = rest.or(Some(line).filter(|_| is_included)) else { continue };
        for word in words.split([',', '(', ')', '[', ']']) {
            let word = word.trim();
            let quoted = word.strip_prefix(['\'', '"']).and_then(|word| word.strip_suffix(['\'', '"']));
            if let Some(path) = quoted.filter(|path| !path.is_empty() && !path.contains('$')) {
                found.push(path.trim_start_matches(':').replace(':', "/"));
            }
        }
        // A list goes on behind a comma, and inside brackets.
        is_included = line.ends_with([',', '(']);
    }
    found
}

impl Project for JavaProject {
    fn candidates(&self, _: &str, path: &str) -> Candidates {
        Candidates { external: Some(path.to_owned()), ..Candidates::default() }
    }

    fn package(&self, path: &str) -> Option<String> {
        self.module_of(path).map(|module| module.folder.clone())
    }

    fn packages(&self) -> Vec<Package> {
        self.poms.iter().filter_map(|(folder, text)| Artifacts::read(text).package(folder)).collect()
    }

    fn needs(&self) -> Vec<Need> {
        let own: Vec<String> = self.packages().into_iter().map(|package| package.name).collect();
        let is_own = |name: &str| own.iter().any(|known| known == name);
        self.poms.iter().flat_map(|(folder, text)| Artifacts::read(text).needs(folder, text, &is_own)).collect()
    }

    fn outside(&self, _: &str, path: &str) -> Option<(Registry, String)> {
        (!path.is_empty() && !is_standard(path)).then(|| (Registry::Maven, path.to_owned()))
    }

    fn runner(&self, file: &TestFile<'_>) -> Option<Runner> {
        runner(self, file)
    }

    fn checks(&self, _: &dyn Fn(&str) -> bool) -> Vec<Check> {
        checks(self)
    }

    fn lacks(&self, file: &TestFile<'_>) -> Option<&'static str> {
        let module = self.module_of(file.path).filter(|module| file.has_tests && module.tool == Tool::Gradle)?;
        let top = self.module_at(&module.top)?;
        let is_android = [module.builds, top.builds].contains(&Builds::Android);
        is_android.then_some("it is built for Android, where each build variant has test tasks of its own")
    }

    fn unchecked(&self) -> Vec<(&str, &'static str)> {
        let of_android = self.modules.iter().filter_map(|module| module.android.as_deref());
        let why = "no command is given for what it builds for Android, where each build variant has tasks of its own";
        let mut found: Vec<(&str, &'static str)> = of_android.map(|path| (path, why)).collect();
        found.sort_unstable();
        // What lies nearest to the root stands for all of them.
        let nearest = found.iter().copied().min_by_key(|(path, _)| (path.matches('/').count(), *path));
        nearest.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(manifests: &[(&str, &str)]) -> JavaProject {
        let manifests: Vec<Manifest<'_>> = manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
        JavaProject::read(&manifests)
    }

    #[test]
    fn modules_of_maven_have_a_name_and_roots() {
        let project = read(&[
            ("pom.xml", "<project><artifactId>all</artifactId><modules><module>core</module></modules></project>"),
            (
                "core/pom.xml",
                "<project><artifactId>shop-core</artifactId><build><sourceDirectory>${project.basedir}/java</sourceDirectory></build></project>",
            ),
        ]);
        let core = project.module_of("core/java/a/A.java").expect("a module");
        assert_eq!(
            (core.name.as_str(), &core.roots[..]),
            ("shop-core", &["core/java".to_owned(), "core/src/test/java".to_owned()][..])
        );
        let top = project.module_of("src/main/java/A.java").expect("a module");
        assert_eq!((top.folder.as_str(), top.tool, &top.lists[..]), ("", Tool::Maven, &["core".to_owned()][..]));
        assert_eq!(project.package("core/java/a/A.java").as_deref(), Some("core"));
    }

    #[test]
    fn settings_of_gradle_list_modules() {
        let settings = "rootProject.name = 'shop'\ninclude ':core', ':web:api' // two\ninclude(\n  \":cli\",\n  \":$made\"\n)\nincludeBuild 'tools'\n";
        assert_eq!(included(settings), ["core", "web/api", "cli"]);
        let project = read(&[("settings.gradle", settings), ("web/api/build.gradle.kts", "plugins { java }")]);
        assert_eq!(project.module_of("web/api/src/main/java/A.java").map(|module| module.tool), Some(Tool::Gradle));
        assert_eq!(project.module_of("core/A.java").map(|module| module.lists.len()), Some(3));
    }
}
