//! Settings as people have them: with comments, tabs, other line ends, marks, trailing commas, servers of others, and hardly anything.

use super::super::settings::What::{self, Hook, Server};

/// Whose settings, of what, and the text.
pub(super) const FILES: [(&str, What, &str); 40] = [
    // Claude Code, .mcp.json
    ("claude-code", Server, ""),
    ("claude-code", Server, "{}"),
    ("claude-code", Server, "{}\n"),
    ("claude-code", Server, "{\n  \"mcpServers\": {}\n}\n"),
    (
        "claude-code",
        Server,
        "{\n  \"mcpServers\": {\n    \"github\": {\n      \"type\": \"http\",\n      \"url\": \"https://api.githubcopilot.com/mcp/\",\n      \
         \"headers\": { \"Authorization\": \"Bearer ${GITHUB_TOKEN}\" }\n    },\n    \"postgres\": {\n      \"command\": \"npx\",\n      \
         \"args\": [\"-y\", \"@modelcontextprotocol/server-postgres\", \"postgresql://localhost/dev\"]\n    }\n  }\n}\n",
    ),
    (
        "claude-code",
        Server,
        "{\"numStartups\":41,\"tipsHistory\":{\"shift-enter\":3},\"projects\":{\"/home/ada/auth\":{\"allowedTools\":[],\"mcpServers\":{},\
         \"hasTrustDialogAccepted\":true,\"lastCost\":0.4217e1}},\"userID\":\"0f\\u0041\",\"mcpServers\":{\"figma\":{\"type\":\"sse\",\"url\":\
         \"http://127.0.0.1:3845/sse\"}}}",
    ),
    ("claude-code", Server, "{\"numStartups\":1,\"projects\":{}}"),
    (
        "claude-code",
        Server,
        "\u{feff}{\r\n  \"mcpServers\": {\r\n    \"memory\": {\r\n      \"command\": \"npx\"\r\n    }\r\n  }\r\n}\r\n",
    ),
    ("claude-code", Server, "{\n\t\"mcpServers\": {\n\t\t\"b\": { \"command\": \"b\" }\n\t}\n}"),
    (
        "claude-code",
        Server,
        "{\n  \"mcpServers\": {\n    \"activate\": {\n      \"command\": \"activate\",\n      \"args\": [\"serve\", \"--toolset\", \"ctx\"],\n      \
         \"env\": { \"NO_COLOR\": \"1\" }\n    },\n    \"other\": { \"command\": \"x\" }\n  }\n}\n",
    ),
    // Its hooks, .claude/settings.json
    ("claude-code", Hook, "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(npm run lint)\"\n    ]\n  }\n}\n"),
    (
        "claude-code",
        Hook,
        "{\n    \"model\": \"opus\",\n    \"hooks\": {\n        \"PostToolUse\": [\n            {\n                \"matcher\": \"Edit|Write\",\n                \
         \"hooks\": [\n                    { \"type\": \"command\", \"command\": \"prettier --write\" }\n                ]\n            }\n        ]\n    }\n}\n",
    ),
    (
        "claude-code",
        Hook,
        "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \
         \"command\": \"~/bin/stamp hook\"\n          }\n        ]\n      }\n    ]\n  }\n}\n",
    ),
    ("claude-code", Hook, "{\"hooks\": {\"UserPromptSubmit\": []}, \"env\": {\"A\": \"b\"}}\n"),
    (
        "claude-code",
        Hook,
        "{\"hooks\": {\"UserPromptSubmit\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"activate hook\", \"timeout\": 5}]}]}}\n",
    ),
    // Codex CLI
    ("codex", Server, ""),
    ("codex", Server, "model = \"gpt-5.1-codex\"\napproval_policy = \"on-request\"\n"),
    (
        "codex",
        Server,
        "# mine\nmodel = \"o4\" # fast\n\n[projects.\"/home/ada/auth\"]\ntrust_level = \"trusted\"\n\n[mcp_servers.docs]\ncommand = 'npx'\nargs = [\n    \"-y\",\n    \
         \"docs-mcp\", # pinned\n]\n\n[mcp_servers.docs.env]\nTOKEN = \"$T\"\n\n[tui]\nnotifications = true",
    ),
    ("codex", Server, "model = \"x\"\r\n\r\n[mcp_servers.a]\r\ncommand = \"a\"\r\n"),
    ("codex", Server, "mcp_servers = { a = { command = \"a\", args = [] } }\nmodel = \"x\"\n"),
    ("codex", Server, "mcp_servers.a.command = \"a\"\n\n\n# the end\n"),
    ("codex", Server, "\u{feff}[[notify]]\ncommand = '''\nsay \"[mcp_servers.activate]\"\n'''\n"),
    (
        "codex",
        Server,
        "[mcp_servers.activate]\ncommand = \"activate\" # from the page\nstartup_timeout_sec = 20\n\n[history]\npersistence = \"none\"\n",
    ),
    ("codex", Hook, "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}"),
    // Cursor
    ("cursor", Server, "{\n  \"mcpServers\": {\n    \"linear\": {\n      \"url\": \"https://mcp.linear.app/sse\"\n    }\n  }\n}"),
    ("cursor", Server, "{ \"mcpServers\": { \"a\": { \"command\": \"a\" }, \"b\": { \"command\": \"b\" } } }\n"),
    ("cursor", Server, "// for the team\n{\n  // servers\n  \"mcpServers\": {\n    // none yet\n  }\n}\n"),
    // VS Code
    (
        "vscode",
        Server,
        "{\n\t\"inputs\": [\n\t\t{\n\t\t\t\"type\": \"promptString\",\n\t\t\t\"id\": \"key\",\n\t\t\t\"password\": true\n\t\t}\n\t],\n\t\"servers\": {\n\t\t\"fetch\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"uvx\",\n\t\t\t\"args\": [\"mcp-server-fetch\"]\n\t\t},\n\t},\n}\n",
    ),
    (
        "vscode",
        Server,
        "{\r\n    // https://aka.ms/vscode-mcp\r\n    \"servers\": {\r\n        \"a\": { \"url\": \"http://[::1]:3/\" } // local\r\n    }\r\n}",
    ),
    ("vscode", Server, "{\n    \"servers\": { /* nothing */ },\n    \"inputs\": []\n}\n"),
    // Zed
    (
        "zed",
        Server,
        "// Zed settings\n//\n// For information on how to configure Zed, see the Zed\n// documentation: https://zed.dev/docs/configuring-zed\n{\n  \"agent\": {\n    \
         \"default_model\": {\n      \"provider\": \"zed.dev\",\n      \"model\": \"claude-sonnet-4\"\n    },\n  },\n  \"ui_font_size\": 16,\n  \"theme\": {\n    \
         \"mode\": \"system\",\n    \"light\": \"One Light\", // day\n    \"dark\": \"One Dark\",\n  },\n}\n",
    ),
    (
        "zed",
        Server,
        "{\n  \"context_servers\": {\n    \"mcp-server-context7\": {\n      \"source\": \"extension\",\n      \"enabled\": true,\n      \"settings\": {\n        \
         \"context7_api_key\": \"\",\n      },\n    }, /* keep */ // both\n  },\n  \"vim_mode\": true\n}\n",
    ),
    ("zed", Server, "{\n  \"vim_mode\": true\n  , // odd\n  \"tab_size\": 4\n  // the end\n}\n"),
    ("zed", Server, "// nothing is set\n"),
    // Gemini CLI
    (
        "gemini",
        Server,
        "{\n  \"security\": { \"auth\": { \"selectedType\": \"oauth-personal\" } },\n  \"ui\": { \"theme\": \"GitHub\" }\n}\n",
    ),
    // OpenCode
    ("opencode", Server, "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n"),
    (
        "opencode",
        Server,
        "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {\n    \"activate\": {\n      \"type\": \"local\",\n      \"command\": [\"activate\", \
         \"serve\", \"--toolset\", \"ctx\"],\n      \"enabled\": false\n    }\n  }\n}\n",
    ),
    // Windsurf
    ("windsurf", Server, "{\n  \"mcpServers\": {\n\n  }\n}\n"),
    // Amp
    (
        "amp",
        Server,
        "{\n  \"amp.showCosts\": true,\n  \"amp.mcpServers\": {\n    \"playwright\": {\n      \"command\": \"npx\",\n      \"args\": [\"@playwright/mcp@latest\"]\n    }\n  }\n}\n",
    ),
    ("amp", Server, "  \n\t\n"),
];

/// Settings that are refused, with what is said of them.
pub(super) const REFUSED: [(&str, &str, &str); 8] = [
    ("claude-code", "{\n  \"mcpServers\": {\n    \"a\" {}\n  }\n}\n", "line 3, column 9: Expected colon"),
    ("claude-code", "{\n  \"mcpServers\": []\n}\n", "line 2, column 17: `mcpServers` is not an object"),
    ("cursor", "[1, 2]\n", "line 1, column 1: there is no object here"),
    ("vscode", "\u{feff}{\r\n  \"é\": \"ü\" \"servers\"\r\n}", "line 2, column 11: Expected comma"),
    ("gemini", "{\"a\": 1", "line 1, column 1: Unterminated object"),
    ("zed", "{'vim_mode': true}", "line 1, column 2: Single-quoted strings are not allowed"),
    ("codex", "model = \"x\"\n[mcp_servers\n", "line 2, column 13: "),
    ("codex", "a = 1\nmcp_servers = 3\n", "line 2, column 15: `mcp_servers` is not a table"),
];
