import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type { FindingDefinition } from '../findings/defineFinding';

/** A finding whose every parameter, and each of their fields that the definitions read, is the text. */
export function buildFinding(
  definition: FindingDefinition,
  text: string,
): Finding {
  const parameter = Object.assign(Object(text), {
    kind: 'Rollout',
    namespace: text,
    name: text,
    object: { kind: 'ManifestWork', namespace: text, name: text },
    controller: text,
    hub: text,
    key: text,
    group: text,
    plural: text,
    id: text,
    origin: text,
    fields: [text],
    consequences: [text],
    options: [text],
    since: text,
    cluster: text,
    verb: text,
    kinds: [text],
    namespaces: [text],
    names: [text],
    objects: [{ namespace: text, name: text }],
    managers: [text],
    part: text,
    account: { namespace: text, name: text },
    trusted: true,
    hubNamespace: text,
    wanted: text,
    allowed: [text],
    annotations: [text],
    label: text,
    finalizers: [text],
    servers: [text],
    placeholders: [text],
    argocdNamespace: text,
    wantedDryRevision: text,
    hydratedRevision: text,
    revision: text,
    from: text,
    to: text,
    secrets: [{ namespace: text, name: text }],
  });
  const parameters: unknown[] = Array.from({ length: 5 }, () => parameter);
  return definition(...(parameters as never[]));
}
