// An embedded hub that counts the controllers' requests: benchHub.ts KUBECONFIG [SNAPSHOT]
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { startEmbeddedHub } from 'embedded-hub';

const [kubeconfigPath, snapshot] = process.argv.slice(2);

const REPORT_CRD = '../../deploy/multiclusterapplicationsetreports.crd.yaml';

async function main() {
  const hub = await startEmbeddedHub({ kubeconfigPath, snapshot });
  await fetch(
    `${hub.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body: await readFile(resolve(__dirname, REPORT_CRD), 'utf8'),
    },
  );
  hub.clearRequests();
  process.on('message', message => {
    if (message === 'stop') {
      void hub.stop().then(() => process.disconnect());
      return;
    }
    const counts: Record<string, number> = {};
    for (const { userAgent, verb, resource, subresource } of hub.requests) {
      if (userAgent === 'argocd-fleet') {
        const kind = [verb, resource, subresource].filter(Boolean).join(' ');
        counts[kind] = (counts[kind] ?? 0) + 1;
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
