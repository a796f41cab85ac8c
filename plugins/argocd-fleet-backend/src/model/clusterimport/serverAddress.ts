import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { ManagedCluster } from 'backstage-plugin-argocd-fleet-common';
import { clientConfigOf } from './clusterAccess';

/** Where requests to a URL go. */
interface Address {
  /** Host and port; the default port is written out. */
  readonly host: string;
  /** Path without slashes at its end. */
  readonly path: string;
}

/** What a cluster may not report as its own address. */
export interface ForeignAddresses {
  /** URLs of the hub's API server, all that are known. */
  readonly hub: readonly string[];
  /** Clusters that may have one of the same host; see {@link clusterAddresses}. */
  readonly others: readonly ManagedCluster[];
  /** The URL in the cluster's Secret in this Argo CD; undefined if it has none, or a placeholder. */
  heldBy(cluster: ManagedCluster): string | undefined;
}

/** Names of the hub's own services for everything that runs there, as Argo CD does; and of the machine's own data. */
const HUB_NAME =
  /^(?:(?:.+\.)?localhost|kubernetes(?:\.default)?|(?:.+\.)?svc(?:\.cluster\.local)?|metadata\.google\.internal)$/;

/** Addresses of the machine itself, and of what only its own network reaches: the data of cloud providers, say. */
const HUB_ADDRESSES = new BlockList();
HUB_ADDRESSES.addSubnet('0.0.0.0', 8);
HUB_ADDRESSES.addSubnet('127.0.0.0', 8);
HUB_ADDRESSES.addSubnet('169.254.0.0', 16);
HUB_ADDRESSES.addSubnet('::', 96, 'ipv6');
HUB_ADDRESSES.addSubnet('fe80::', 10, 'ipv6');
HUB_ADDRESSES.addAddress('fd00:ec2::254', 'ipv6');

const HTTPS_PORT = '443';

/** Hosts of the addresses that a cluster reports, as far as they are URLs. */
export function clusterAddresses(cluster: ManagedCluster): string[] {
  return [
    ...new Set(
      reportedUrls(cluster).flatMap(url => addressOf(url)?.host ?? []),
    ),
  ];
}

/**
 * Why the hub's Argo CD must not get the address that a cluster reports, in one sentence; undefined if it may. Argo CD
 * sends the cluster's token there, and deploys there what is meant for the cluster; and the cluster's agent can write
 * the address. Of two clusters with one address it belongs to the one whose Secret has it; then to one whose Secret has
 * no other, since an imported cluster could otherwise report what belongs to later ones and prevent their import; then to
 * the older one. Only the address that Argo CD would use counts, not all that a cluster reports.
 */
export function addressProblem(
  cluster: ManagedCluster,
  url: string,
  { hub, others, heldBy }: ForeignAddresses,
): string | undefined {
  const parsed = parseUrl(url);
  const address = addressOf(url);
  if (!parsed || !address || parsed.protocol !== 'https:') {
    return 'It is not a URL that begins with https://';
  }
  if (parsed.username || parsed.password || parsed.search || parsed.hash) {
    return 'It has more than a host, a port and a path';
  }
  const { hostname } = parsed;
  if (isOfHub(withoutDot(hostname))) {
    return 'For Argo CD on the hub, it is the hub itself, its machine or one of its services';
  }
  if (hub.some(each => isWithin(address, addressOf(each)))) {
    return 'It is the address of the hub';
  }
  if (heldBy(cluster) === url) {
    return undefined;
  }
  const rank = (one: ManagedCluster) =>
    `${heldBy(one) === undefined ? 0 : 1} ${age(one)}`;
  const has = (each: string | undefined) =>
    each !== undefined && overlaps(address, addressOf(each));
  const owner = others.find(
    other =>
      other.metadata.name !== cluster.metadata.name &&
      (has(heldBy(other)) ||
        (has(clientConfigOf(other).url) && rank(other) < rank(cluster))),
  );
  return owner && `It is the address of the cluster ${owner.metadata.name}`;
}

function isOfHub(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return (
    HUB_NAME.test(hostname) ||
    (isIPv4(address) && HUB_ADDRESSES.check(address)) ||
    (isIPv6(address) && HUB_ADDRESSES.check(address, 'ipv6'))
  );
}

function reportedUrls({ spec }: ManagedCluster): string[] {
  return (spec?.managedClusterClientConfigs ?? []).flatMap(
    ({ url }) => url ?? [],
  );
}

function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    // Whoever needs a URL reports that there is none.
    return undefined;
  }
}

function addressOf(url: string): Address | undefined {
  const parsed = parseUrl(url);
  return parsed?.hostname
    ? {
        host: `${withoutDot(parsed.hostname)}:${parsed.port || HTTPS_PORT}`,
        path: parsed.pathname.replace(/(?<!\/)\/+$/, ''),
      }
    : undefined;
}

/** Names may end in a dot, and then mean the same. */
function withoutDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** Behind one proxy, several API servers differ by their paths. */
function isWithin(address: Address, outer: Address | undefined): boolean {
  return (
    address.host === outer?.host &&
    `${address.path}/`.startsWith(`${outer.path}/`)
  );
}

function overlaps(one: Address, other: Address | undefined): boolean {
  return other !== undefined && (isWithin(one, other) || isWithin(other, one));
}

/** A text that sorts clusters by age; the API server sets the time of creation. */
function age({ metadata }: ManagedCluster): string {
  return `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
}
