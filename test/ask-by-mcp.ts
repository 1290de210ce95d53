import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type StdioServerParameters, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** Starts an MCP server, lists its tools and its monitors, and ends it. Returns the list of monitors. */
export async function askByMcp(server: StdioServerParameters): Promise<string> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport(server));
  try {
    const { tools } = await client.listTools();
    if (!tools.some(({ name }) => name === 'plan')) throw new Error(`No tool plan among ${JSON.stringify(tools)}`);
    const { content, isError } = await client.callTool({ name: 'list', arguments: { resource: 'monitors' } });
    if (isError === true) throw new Error(JSON.stringify(content));
    return JSON.stringify(content);
  } finally {
    await client.close();
  }
}
