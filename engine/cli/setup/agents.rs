//! The agents that can be set up: how each is noticed, where its settings lie, and how it writes a server.

use super::form::Form;
use super::place::Place;
use super::world::World;

/// The folder of the project, as Cursor and VS Code write it.
pub(super) const WORKSPACE: &str = "${workspaceFolder}";

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    User,
    Project,
}

/// How an entry for a server is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// `{"command": …, "args": […]}`
    Plain,
    /// With `"type": "stdio"` before.
    Stdio,
    /// With `"env": {}` behind.
    Zed,
    /// `{"type": "local", "command": [program, …], "enabled": true}`
    Local,
    /// A table of TOML.
    Toml,
}

/// Where the server finds the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finds {
    /// It is started there.
    Started,
    /// The agent writes its folder in the place of a word.
    Word,
    /// It is told, since it is started anywhere.
    Told,
}

/// What an agent waits for before it starts a server that its settings name. Tried with Claude Code 2.1, Codex CLI 0.171, Gemini CLI 0.61 and `OpenCode`
/// 1.18 (2026-11-26); of the others it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waits {
    /// Nothing that is known.
    No,
    /// For a yes to each server that a project names.
    Server,
    /// For the folder to be trusted, where a project names the server.
    Project,
    /// For the folder to be trusted, whoever names the server.
    Folder,
}

/// A file of hooks in a project, and that of the user.
type Hooks = (&'static str, fn(&World) -> Option<Place>);

/// An agent.
#[derive(Debug)]
pub(super) struct Agent {
    /// As the command line has it.
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    /// As people call it.
    pub(super) title: &'static str,
    /// Its commands.
    commands: &'static [&'static str],
    /// What it keeps in a project.
    in_project: &'static [&'static str],
    /// The field that holds servers.
    pub(super) servers: &'static str,
    pub(super) shape: Shape,
    finds: Finds,
    /// Its files in a project, the first of which is made where there is none.
    project: &'static [&'static str],
    /// The same of the user.
    user: fn(&World) -> Vec<Place>,
    /// What it keeps of the user: if that is there, it is.
    of_user: fn(&World) -> Vec<Place>,
    /// Its files of hooks, if it has an event in which a prompt gets context.
    hooks: Option<Hooks>,
    /// What it waits for before it starts a server that its settings name.
    waits: Waits,
}

/// All agents, in the order in which they are set up.
pub(super) const AGENTS: [Agent; 9] = [
    Agent {
        name: "claude-code",
        aliases: &["claude"],
        title: "Claude Code",
        commands: &["claude"],
        in_project: &[".claude", ".mcp.json"],
        servers: "mcpServers",
        shape: Shape::Stdio,
        finds: Finds::Started,
        project: &[".mcp.json"],
        user: |world| match &world.claude {
            Some(folder) => vec![Place::of_user(folder, ".claude.json")],
            None => world.in_home(".claude.json"),
        },
        of_user: |world| [world.in_home(".claude"), world.in_home(".claude.json")].concat(),
        hooks: Some((".claude/settings.json", |world| match &world.claude {
            Some(folder) => Some(Place::of_user(folder, "settings.json")),
            None => world.in_home(".claude/settings.json").pop(),
        })),
        waits: Waits::Server,
    },
    Agent {
        name: "codex",
        aliases: &[],
        title: "Codex CLI",
        commands: &["codex"],
        in_project: &[".codex"],
        servers: "mcp_servers",
        shape: Shape::Toml,
        finds: Finds::Started,
        project: &[".codex/config.toml"],
        user: |world| match &world.codex {
            Some(folder) => vec![Place::of_user(folder, "config.toml")],
            None => world.in_home(".codex/config.toml"),
        },
        of_user: |world| world.in_home(".codex"),
        hooks: Some((".codex/hooks.json", |world| match &world.codex {
            Some(folder) => Some(Place::of_user(folder, "hooks.json")),
            None => world.in_home(".codex/hooks.json").pop(),
        })),
        waits: Waits::Project,
    },
    Agent {
        name: "cursor",
        aliases: &[],
        title: "Cursor",
        commands: &["cursor", "cursor-agent"],
        in_project: &[".cursor"],
        servers: "mcpServers",
        shape: Shape::Stdio,
        finds: Finds::Word,
        project: &[".cursor/mcp.json"],
        user: |world| world.in_home(".cursor/mcp.json"),
        of_user: |world| world.in_home(".cursor"),
        hooks: None,
        waits: Waits::No,
    },
    Agent {
        name: "vscode",
        aliases: &["vs-code", "code"],
        title: "VS Code",
        commands: &["code"],
        in_project: &[".vscode/mcp.json"],
        servers: "servers",
        shape: Shape::Stdio,
        finds: Finds::Word,
        project: &[".vscode/mcp.json"],
        user: |world| world.in_applications("Code/User/mcp.json"),
        of_user: |world| world.in_applications("Code"),
        hooks: None,
        waits: Waits::No,
    },
    Agent {
        name: "zed",
        aliases: &[],
        title: "Zed",
        commands: &["zed", "zeditor"],
        in_project: &[".zed"],
        servers: "context_servers",
        shape: Shape::Zed,
        finds: Finds::Started,
        project: &[".zed/settings.json"],
        user: |world| world.in_config("zed/settings.json"),
        of_user: |world| world.in_config("zed"),
        hooks: None,
        waits: Waits::No,
    },
    Agent {
        name: "gemini",
        aliases: &["gemini-cli"],
        title: "Gemini CLI",
        commands: &["gemini"],
        in_project: &[".gemini"],
        servers: "mcpServers",
        shape: Shape::Plain,
        finds: Finds::Started,
        project: &[".gemini/settings.json"],
        user: |world| world.in_home(".gemini/settings.json"),
        of_user: |world| world.in_home(".gemini/settings.json"),
        hooks: None,
        waits: Waits::Folder,
    },
    Agent {
        name: "opencode",
        aliases: &[],
        title: "OpenCode",
        commands: &["opencode"],
        in_project: &["opencode.json", "opencode.jsonc", ".opencode"],
        servers: "mcp",
        shape: Shape::Local,
        finds: Finds::Started,
        project: &["opencode.json", "opencode.jsonc"],
        user: |world| [world.in_config("opencode/opencode.json"), world.in_config("opencode/opencode.jsonc")].concat(),
        of_user: |world| world.in_config("opencode"),
        hooks: None,
        waits: Waits::No,
    },
    Agent {
        name: "windsurf",
        aliases: &[],
        title: "Windsurf",
        commands: &["windsurf"],
        in_project: &[".windsurf"],
        servers: "mcpServers",
        shape: Shape::Plain,
        finds: Finds::Told,
        project: &[],
        user: |world| world.in_home(".codeium/windsurf/mcp_config.json"),
        of_user: |world| world.in_home(".codeium/windsurf"),
        hooks: None,
        waits: Waits::No,
    },
    Agent {
        name: "amp",
        aliases: &[],
        title: "Amp",
        commands: &["amp"],
        in_project: &[".amp"],
        servers: "amp.mcpServers",
        shape: Shape::Plain,
        finds: Finds::Started,
        project: &[".amp/settings.json", ".amp/settings.jsonc"],
        user: |world| [world.in_home_config("amp/settings.json"), world.in_home_config("amp/settings.jsonc")].concat(),
        of_user: |world| world.in_home_config("amp"),
        hooks: None,
        waits: Waits::No,
    },
];

impl Agent {
    /// The one of a name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        AGENTS.iter().find(|agent| agent.name == name || agent.aliases.contains(&name))
    }

    /// Whether it is there: by a command, by what it keeps for the user, or in the project.
    pub(super) fn is_there(&self, world: &World) -> bool {
        self.commands.iter().any(|command| world.has_command(command))
            || (self.of_user)(world).iter().any(|place| place.path().symlink_metadata().is_ok())
            || self.in_project.iter().any(|name| world.project.join(name).symlink_metadata().is_ok())
    }

    /// Its files of servers.
    pub(super) fn files(&self, scope: Scope, world: &World) -> Vec<Place> {
        match scope {
            Scope::Project => self.project.iter().map(|below| Place::of_project(&world.project, below)).collect(),
            Scope::User => (self.user)(world),
        }
    }

    /// Its file of hooks.
    pub(super) fn hooks(&self, scope: Scope, world: &World) -> Option<Place> {
        let (project, user) = self.hooks?;
        match scope {
            Scope::Project => Some(Place::of_project(&world.project, project)),
            Scope::User => user(world),
        }
    }

    /// Whether it has an event in which a prompt gets context.
    pub(super) fn has_hooks(&self) -> bool {
        self.hooks.is_some()
    }

    /// What it waits for before it starts the server, if anything.
    pub(super) fn waits_for(&self, scope: Scope) -> Option<&'static str> {
        match (self.waits, scope) {
            (Waits::No, _) | (Waits::Server | Waits::Project, Scope::User) => None,
            (Waits::Server, Scope::Project) => {
                Some("it uses a server of a project once you said yes to it, and asks when it starts here")
            }
            (Waits::Project, Scope::Project) | (Waits::Folder, _) => {
                Some("it uses it once you trust this folder, and asks when it starts here")
            }
        }
    }

    /// Whether it has settings of a project.
    pub(super) fn has_project(&self) -> bool {
        !self.project.is_empty()
    }

    /// What the server is started with.
    pub(super) fn arguments(&self, world: &World) -> Vec<String> {
        let mut arguments = vec!["serve".to_owned()];
        match self.finds {
            Finds::Started => {}
            Finds::Word => arguments.extend(["--repo".to_owned(), WORKSPACE.to_owned()]),
            Finds::Told => arguments.extend(["--repo".to_owned(), world.project.display().to_string()]),
        }
        arguments
    }

    /// Whether its entry names the project.
    pub(super) fn is_told(&self) -> bool {
        self.finds == Finds::Told
    }

    /// The entry of the server.
    pub(super) fn entry(&self, program: &str, arguments: &[String]) -> Form {
        let plain = || vec![("command", Form::text(program)), ("args", Form::texts(arguments))];
        Form::Object(match self.shape {
            Shape::Plain | Shape::Toml => plain(),
            Shape::Stdio => [vec![("type", Form::text("stdio"))], plain()].concat(),
            Shape::Zed => [plain(), vec![("env", Form::Object(Vec::new()))]].concat(),
            Shape::Local => vec![
                ("type", Form::text("local")),
                ("command", Form::texts(&[&[program.to_owned()], arguments].concat())),
                ("enabled", Form::True),
            ],
        })
    }
}
