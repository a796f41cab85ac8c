import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@backstage/types';
import { stringify } from 'yaml';

/** Credentials in files of hubs whose configuration is broken: no answer and no log may have them. */
export const SECRETS = {
  malformed: 'secret-of-the-malformed-kubeconfig',
  plugin: 'secret-that-a-plugin-printed',
  pluginError: 'secret-that-a-plugin-printed-as-an-error',
  token: 'secret-token-of-an-unreachable-hub',
  userInfo: 'secret-in-the-address-of-a-hub',
} as const;

/** Hubs whose configuration cannot be used, with credentials in it. */
export async function brokenHubs(): Promise<{
  readonly hubs: JsonObject[];
  remove(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-broken-'));
  async function hub(name: string, content: string): Promise<JsonObject> {
    const path = join(folder, `${name}.kubeconfig`);
    await writeFile(path, content);
    return { name, kubeconfig: { path } };
  }
  // Nothing listens at port 1.
  const server = 'https://127.0.0.1:1';
  return {
    hubs: [
      await hub(
        'malformed',
        `apiVersion: v1\nkind: Config\nusers:\n- name: me\n  user:\n    token: "${SECRETS.malformed}\n  : [`,
      ),
      await hub('plugin', kubeconfig(server, plugin('not JSON', 0))),
      await hub('failing-plugin', kubeconfig(server, plugin('', 1))),
      await hub('unreachable', kubeconfig(server, { token: SECRETS.token })),
      await hub(
        'user-info',
        kubeconfig(`https://admin:${SECRETS.userInfo}@127.0.0.1:1`, {}),
      ),
    ],
    remove: () => rm(folder, { recursive: true }),
  };
}

/** An exec plugin that prints a secret instead of credentials. */
function plugin(text: string, code: number): object {
  const script = `process.stdout.write('${text} ${SECRETS.plugin}'); process.stderr.write('${SECRETS.pluginError}'); process.exitCode = ${code}`;
  return {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
      command: process.execPath,
      args: ['-e', script],
    },
  };
}

function kubeconfig(server: string, user: object): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'it', cluster: { server } }],
    users: [{ name: 'it', user }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
    'current-context': 'it',
  });
}
