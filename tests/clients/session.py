"""Speaks to a server by the Python SDK, in both lifecycles and in the one that the SDK finds out. Run by tests/clients/run."""

import asyncio
import sys

from mcp import Client, StdioServerParameters


async def session(server: StdioServerParameters, mode: str, version: str) -> None:
    async with Client(server, mode=mode) as client:
        assert client.protocol_version == version, client.protocol_version
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == ["context", "read", "explain", "ask"], names
        # The SDK checks what comes back against the schema of the tool.
        packed = await client.call_tool("context", {"intent": "fix ValidateToken"})
        assert not packed.is_error, packed
        assert "func ValidateToken(" in packed.structured_content["text"], packed
        read = await client.call_tool("read", {"path": "internal/auth/login.go", "lines": "30:49"})
        assert read.structured_content["text"] and not read.content, read
        why = await client.call_tool("explain", {"target": "internal/auth/login.go", "intent": "fix ValidateToken"})
        assert not why.is_error, why
        refused = await client.call_tool("context", {})
        assert refused.is_error, refused
        resources = (await client.list_resources()).resources
        pack = await client.read_resource(str(resources[0].uri))
        assert packed.structured_content["pack_id"] in pack.contents[0].text, pack
        prompts = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == ["fix"], prompts
        assert (await client.get_prompt("fix", {"intent": "the test"})).messages


async def main() -> None:
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    for mode, version in (("auto", "2026-07-28"), ("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")):
        await session(server, mode, version)


asyncio.run(main())
