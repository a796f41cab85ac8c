import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment } from './git';
import { startGitServer, type GitServer } from './gitServer';

const run = promisify(execFile);
const SHOP = { owner: 'retail', name: 'shop' };

describe('the Git server', () => {
  let folder: string;
  let server: GitServer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'git-server-'));
    server = await startGitServer({ folder: join(folder, 'repositories') });
  });
  afterEach(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const basic = (user = server.username, password = server.password) => ({
    Authorization: `basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });

  /** An address with user name and password, as a person gives it to git. */
  const remote = (password = server.password) =>
    `${server.url.replace('//', `//${server.username}:${password}@`)}/retail/shop.git`;

  /** Runs git as a client does. */
  async function client(directory: string, ...args: string[]) {
    const { stdout } = await run('git', ['-C', directory, ...args], {
      env: {
        ...gitEnvironment(),
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.com',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.com',
      },
    });
    return stdout.trim();
  }

  function createShop(headers: Record<string, string> = basic()) {
    return fetch(`${server.url}/api/v1/orgs/retail/repos`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'shop' }),
    });
  }

  /** Commits files to the branch main of the shop, and pushes it; returns the commit. */
  async function push(files: Record<string, string>, address = remote()) {
    const work = await mkdtemp(join(folder, 'work-'));
    await client(work, 'clone', '--quiet', address, 'shop');
    const clone = join(work, 'shop');
    for (const [path, text] of Object.entries(files)) {
      await writeFile(join(clone, path), text);
    }
    await client(clone, 'checkout', '--quiet', '-B', 'main');
    await client(clone, 'add', '.');
    await client(clone, 'commit', '--quiet', '-m', 'Change the shop');
    await client(clone, 'push', '--quiet', 'origin', 'main');
    return client(clone, 'rev-parse', 'HEAD');
  }

  it('creates a repository, takes pushes and serves clones', async () => {
    const created = await createShop();
    expect([created.status, await created.json()]).toEqual([
      201,
      expect.objectContaining({ clone_url: `${server.url}/retail/shop.git` }),
    ]);
    const pushes: unknown[] = [];
    server.repositories.onPush(repository => pushes.push(repository));

    const first = await push({ 'shop.yaml': 'kind: Deployment\n' });
    expect(pushes).toEqual([SHOP]);
    expect(server.repositories.resolve(SHOP, 'main')).toBe(first);
    expect(server.repositories.resolve(SHOP, 'HEAD')).toBe(first);

    const second = await push({ 'shop.yaml': 'kind: StatefulSet\n' });
    expect(server.repositories.resolve(SHOP, 'main')).toBe(second);
    expect(server.repositories.resolve(SHOP, first)).toBe(first);
    expect(server.repositories.resolve(SHOP, 'a'.repeat(40))).toBeUndefined();
    expect(server.repositories.resolve(SHOP, 'nope')).toBeUndefined();
    const { repositories } = server;
    expect([...repositories.files(SHOP, first, '')]).toEqual([
      ['shop.yaml', 'kind: Deployment\n'],
    ]);

    const anonymous = `${server.url}/retail/shop.git`;
    await client(folder, 'clone', '--quiet', anonymous, 'copy');
    expect(await readFile(join(folder, 'copy', 'shop.yaml'), 'utf8')).toBe(
      'kind: StatefulSet\n',
    );
  });

  it('reads files with their paths and lengths as they are, also outside of ASCII', async () => {
    await createShop();
    const files = { 'ä ö.txt': 'größer\n', 'b.txt': '', 'c.txt': 'no end' };
    const commit = await push(files);
    expect(
      Object.fromEntries(server.repositories.files(SHOP, commit, '')),
    ).toEqual(files);
  });

  it('knows the commit of a tag with a message, and prefers a branch of its name', async () => {
    await createShop();
    const first = await push({ 'a.txt': '1' });
    const second = await push({ 'a.txt': '2' });
    await client(folder, 'clone', '--quiet', remote(), 'tags');
    const clone = join(folder, 'tags');
    await client(clone, 'tag', '-a', 'v1', '-m', 'One', first);
    await client(clone, 'tag', 'main', first);
    await client(clone, 'push', '--quiet', 'origin', '--tags');
    const { repositories } = server;
    expect(repositories.resolve(SHOP, 'v1')).toBe(first);
    expect(repositories.resolve(SHOP, 'refs/tags/main')).toBe(first);
    expect(repositories.resolve(SHOP, 'main')).toBe(second);
  });

  it.each([
    ['nobody', () => `${server.url}/retail/shop.git`],
    ['somebody with another password', () => remote('guessed')],
  ])('refuses a push by %s', async (_, address) => {
    await createShop();
    await expect(push({ 'a.txt': '1' }, address())).rejects.toThrow(
      /could not read Username|Authentication failed/,
    );
    expect(server.repositories.resolve(SHOP, 'main')).toBeUndefined();
  });

  it('creates nothing without the password, of a name that is none, or twice', async () => {
    expect((await createShop({})).status).toBe(401);
    expect((await createShop(basic('fleet', 'guessed'))).status).toBe(401);
    expect(server.repositories.list()).toEqual([]);
    for (const name of ['..', 'a/b', 'x..y', '.git', 'shop.git', '']) {
      const refused = await fetch(`${server.url}/api/v1/orgs/retail/repos`, {
        method: 'POST',
        headers: basic(),
        body: JSON.stringify({ name }),
      });
      expect([name, refused.status]).toEqual([name, 422]);
    }
    expect((await createShop()).status).toBe(201);
    expect((await createShop()).status).toBe(409);
    expect(server.repositories.list()).toEqual([SHOP]);
  });

  it('serves what Backstage reads: file, commit, archive and page', async () => {
    await createShop();
    const page = `${server.url}/retail/shop/src/branch/main/`;
    expect((await fetch(page)).status).toBe(404);
    const commit = await push({ 'catalog-info.yaml': 'kind: <b>&\n' });
    const api = `${server.url}/api/v1/repos/retail/shop`;

    const file = await fetch(`${api}/contents/catalog-info.yaml?ref=main`);
    const { encoding, content } = await file.json();
    expect([encoding, Buffer.from(content, 'base64').toString()]).toEqual([
      'base64',
      'kind: <b>&\n',
    ]);
    expect(file.headers.get('etag')).toBe(`"${commit}"`);
    const head = await fetch(`${api}/git/commits/main`);
    expect(await head.json()).toEqual({ sha: commit });
    const archive = await fetch(`${api}/archive/main.tar.gz`);
    expect([archive.status, archive.headers.get('content-type')]).toEqual([
      200,
      'application/gzip',
    ]);
    expect(await (await fetch(page)).text()).toContain('catalog-info.yaml');
    const shown = await fetch(`${page}catalog-info.yaml`);
    expect(await shown.text()).toContain('kind: &lt;b>&amp;');

    for (const missing of [
      `${api}/contents/nope.yaml?ref=main`,
      `${api}/contents/catalog-info.yaml?ref=nope`,
      `${api}/git/commits/nope`,
      `${api}/archive/nope.tar.gz`,
      `${page}nope.yaml`,
      `${server.url}/retail/other.git/info/refs?service=git-upload-pack`,
      `${server.url}/..%2f..%2fetc/passwd`,
      `${server.url}/retail/..%2f..%2fshop`,
    ]) {
      expect([missing, (await fetch(missing)).status]).toEqual([missing, 404]);
    }
    expect((await fetch(`${server.url}/%zz`)).status).toBe(400);
  });

  it('commits changed files, on their branch or a new one', async () => {
    await createShop();
    const change = (body: object, headers: HeadersInit = basic()) =>
      fetch(`${server.url}/api/v1/repos/retail/shop/contents`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
    const file = (path: string, text: string) => ({
      ...{ operation: 'create', path },
      content: Buffer.from(text).toString('base64'),
    });
    const pushes: unknown[] = [];
    server.repositories.onPush(repository => pushes.push(repository));
    const first = await change({
      files: [file('a.txt', 'größer'), file('b/c.txt', 'c')],
    });
    expect(first.status).toBe(201);
    const { sha } = (await first.json()).commit;
    const { repositories } = server;
    expect(repositories.resolve(SHOP, 'main')).toBe(sha);
    const second = await change({
      branch: 'main',
      new_branch: 'less',
      message: 'Remove a file',
      files: [{ operation: 'delete', path: 'a.txt' }],
    });
    const less = (await second.json()).commit.sha;
    expect(repositories.resolve(SHOP, 'main')).toBe(sha);
    expect(Object.fromEntries(repositories.files(SHOP, sha, ''))).toEqual({
      'a.txt': 'größer',
      'b/c.txt': 'c',
    });
    expect([...repositories.files(SHOP, less, '').keys()]).toEqual(['b/c.txt']);
    expect(pushes).toEqual([SHOP, SHOP]);

    for (const [body, message] of [
      [{}, /files/],
      [{ branch: 'nope', files: [file('x', 'x')] }, /no branch nope/],
      [{ new_branch: 'less', files: [file('x', 'x')] }, /branch less already/],
      [{ new_branch: 'a..b', files: [file('x', 'x')] }, /check-ref-format/],
      [{ files: [{ operation: 'delete', path: 'x' }] }, /no file x/],
      [{ files: [file('../x', 'x')] }, /update-index/],
      [{ files: [file('.git/config', 'x')] }, /update-index/],
    ] as const) {
      const refused = await change(body);
      expect([refused.status, (await refused.json()).message]).toEqual([
        422,
        expect.stringMatching(message),
      ]);
    }
    expect((await change({ files: [file('x', 'x')] }, {})).status).toBe(401);
    expect(repositories.resolve(SHOP, 'main')).toBe(sha);
  });

  describe('pull requests', () => {
    const api = () => `${server.url}/api/v1/repos/retail/shop`;
    const post = (path: string, body: object = {}, headers = basic()) =>
      fetch(`${api()}${path}`, {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
      });
    const read = async (response: Response) => [
      response.status,
      await response.json(),
    ];
    const nobody = {} as ReturnType<typeof basic>;

    /** A shop whose branch `promote` changes `a.txt` from 1 to 2. */
    async function promotion() {
      await createShop();
      const base = await push({ 'a.txt': '1\n', 'b.txt': '1\n' });
      const head = server.repositories.commit(SHOP, {
        ...{ branch: 'main', newBranch: 'promote/it' },
        message: 'Take <b>2</b>\n\nIt is newer.',
        files: { 'a.txt': '2\n' },
      });
      return { base, head };
    }
    const request = {
      base: 'main',
      head: 'promote/it',
      title: 'Two',
      body: 'B',
    };

    it('is opened, found by its branches, shown and merged', async () => {
      const { base, head } = await promotion();
      const compared = await fetch(`${api()}/compare/main...promote/it`);
      expect(await read(compared)).toEqual([
        200,
        {
          total_commits: 1,
          commits: [
            {
              sha: head,
              commit: {
                message: 'Take <b>2</b>\n\nIt is newer.',
                author: expect.objectContaining({ name: 'Git server' }),
              },
            },
          ],
        },
      ]);
      for (const [query, shas] of [
        ['path=a.txt&limit=1', [base]],
        ['sha=promote/it&path=a.txt', [head, base]],
        ['sha=promote/it&path=*.txt', []],
        ['path=nope', []],
      ]) {
        const history = await fetch(`${api()}/commits?${query}`);
        expect(await history.json()).toEqual(
          (shas as string[]).map(sha => expect.objectContaining({ sha })),
        );
      }
      const page = `${server.url}/retail/shop/pulls/1`;
      expect(await read(await post('/pulls', request))).toEqual([
        201,
        expect.objectContaining({ number: 1, state: 'open', html_url: page }),
      ]);
      for (const path of ['/pulls/1', '/pulls/main/promote/it']) {
        const found = await read(await fetch(`${api()}${path}`));
        expect(found).toEqual([200, expect.objectContaining({ title: 'Two' })]);
      }
      const shown = await (await fetch(page)).text();
      expect(shown).toContain('Take &lt;b>2&lt;/b>');
      expect(shown).toContain('+2');
      expect(shown).toContain('<button>Merge</button>');

      // The base has moved meanwhile, elsewhere in the files.
      const moved = server.repositories.commit(SHOP, {
        ...{ branch: 'main', message: 'b', files: { 'b.txt': '2\n' } },
      });
      const pushes: unknown[] = [];
      server.repositories.onPush(repository => pushes.push(repository));
      const merged = await fetch(`${page}/merge`, {
        method: 'POST',
        // As a browser sends the page's form.
        headers: { ...basic(), Origin: server.url },
      });
      expect([merged.status, merged.url]).toEqual([200, page]);
      const after = await merged.text();
      expect(after).toContain('Merged as');
      expect(after).not.toContain('<button>');
      expect(after).toContain('+2');
      expect(pushes).toEqual([SHOP]);
      const { repositories } = server;
      const commit = repositories.resolve(SHOP, 'main') ?? '';
      expect([base, head, moved]).not.toContain(commit);
      expect(Object.fromEntries(repositories.files(SHOP, commit, ''))).toEqual({
        'a.txt': '2\n',
        'b.txt': '2\n',
      });
      expect((await post('/pulls/1/merge')).status).toBe(405);
    });

    it('keeps both branches where they conflict', async () => {
      await promotion();
      const main = server.repositories.commit(SHOP, {
        ...{ branch: 'main', message: 'a', files: { 'a.txt': '3\n' } },
      });
      await post('/pulls', request);
      expect(await read(await post('/pulls/1/merge'))).toEqual([
        409,
        { message: expect.stringMatching(/conflict[^]*a\.txt/) },
      ]);
      expect(server.repositories.resolve(SHOP, 'main')).toBe(main);
    });

    it('is not opened twice, or where there is nothing to merge, and names what is missing', async () => {
      await promotion();
      expect((await post('/pulls', request)).status).toBe(201);
      for (const [body, status, message] of [
        [request, 409, /promote\/it to main already/],
        [{ ...request, base: 'nope' }, 404, /no branch nope/],
        [{ ...request, head: 'nope' }, 404, /no branch nope/],
        [{ ...request, head: 'main' }, 422, /nothing that main lacks/],
      ] as const) {
        expect(await read(await post('/pulls', body))).toEqual([
          status,
          { message: expect.stringMatching(message) },
        ]);
      }
      expect((await post('/pulls/2/merge')).status).toBe(404);
      for (const path of [
        '/pulls/2',
        '/pulls/main/nope',
        '/compare/a...b',
        '/commits?sha=nope',
      ]) {
        expect((await fetch(`${api()}${path}`)).status).toBe(404);
      }
      const missing = await fetch(`${server.url}/retail/shop/pulls/2`);
      expect(missing.status).toBe(404);
    });

    it('is opened and merged by who has the password only', async () => {
      await promotion();
      expect((await post('/pulls', request, nobody)).status).toBe(401);
      await post('/pulls', request);
      expect((await post('/pulls/1/merge', {}, nobody)).status).toBe(401);
      const page = `${server.url}/retail/shop/pulls/1/merge`;
      expect((await fetch(page, { method: 'POST' })).status).toBe(401);
      expect((await fetch(page, { headers: basic() })).status).toBe(200);
      const pull = await fetch(`${api()}/pulls/1`);
      expect(await pull.json()).toMatchObject({ merged: false });
    });
  });

  it('answers no web page of another origin', async () => {
    for (const Origin of [
      'https://evil.example.com',
      'null',
      // Another server on this machine.
      server.url.replace(/[0-9]+$/, '7007'),
    ]) {
      const answer = await fetch(server.url, { headers: { Origin } });
      expect([Origin, answer.status]).toEqual([Origin, 403]);
    }
  });
});
