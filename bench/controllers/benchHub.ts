// An embedded hub that counts what the controllers ask of it: benchHub.ts KUBECONFIG [SNAPSHOT]
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { startEmbeddedHub } from 'embedded-hub';

const [kubeconfigPath, snapshot] = process.argv.slice(2);

const REPORTS = '../../deploy/multiclusterapplicationsetreports.crd.yaml';

async function main() {
  const hub = await startEmbeddedHub({ kubeconfigPath, snapshot });
  await fetch(
    `${hub.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body: await readFile(resolve(__dirname, REPORTS), 'utf8'),
    },
  );
  hub.clearRequests();
  process.on('message', question => {
    if (question === 'stop') {
      void hub.stop().then(() => process.disconnect());
      return;
    }
    const counts: Record<string, number> = {};
    for (const { userAgent, verb, resource, subresource } of hub.requests) {
      if (userAgent === 'argocd-fleet') {
        const what = [verb, resource, subresource].filter(Boolean).join(' ');
        counts[what] = (counts[what] ?? 0) + 1;
      }
    }
    hub.clearRequests();
    process.send?.({ bench: counts });
  });
  process.send?.({ bench: { url: hub.url } });
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
