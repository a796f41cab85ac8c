// The documentation as TechDocs shows it: mkdocs.yml builds without a warning. TechDocs' own plugin, techdocs-core, is
// left out: it needs Python packages that distributions do not have.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE_LINK } from './pack.mjs';
import { ROOT } from './paths.mjs';

/** Why the documentation cannot be built here; undefined if it can. */
export function mkdocsMissing() {
  const { status } = spawnSync('mkdocs', ['--version'], { stdio: 'ignore' });
  return status === 0
    ? undefined
    : 'The documentation was not built: no MkDocs. Install the package `mkdocs` with apt or pip.';
}

/** Builds the documentation with `mkdocs build --strict`, which fails at a broken link or a page that nav lacks. */
export async function buildDocumentation() {
  const folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-docs-'));
  try {
    cpSync(join(ROOT, 'docs'), join(folder, 'docs'), { recursive: true });
    cpSync(join(ROOT, 'mkdocs.yml'), join(folder, 'mkdocs.yml'));
    keepLinksInside(join(folder, 'docs'));
    writeFileSync(
      join(folder, 'mkdocs.test.yml'),
      // This theme loads nothing from the network when its fonts and highlighting are off.
      'INHERIT: mkdocs.yml\nplugins: []\ntheme:\n  name: mkdocs\n  highlightjs: false\n',
    );
    const { status, stdout, stderr } = spawnSync(
      'mkdocs',
      [
        ...['build', '--strict'],
        ...['--config-file', 'mkdocs.test.yml', '--site-dir', 'site'],
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    const unlisted = pagesOutsideOfNav(folder);
    if (status !== 0 || unlisted.length > 0) {
      throw new Error(
        [
          stdout + stderr,
          ...unlisted.map(page => `docs/${page} is not in nav of mkdocs.yml`),
        ].join('\n'),
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** MkDocs knows only docs/. The check of all links follows those to other files of the repository. */
function keepLinksInside(docs) {
  for (const page of readdirSync(docs).filter(name => name.endsWith('.md'))) {
    const path = join(docs, page);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(FILE_LINK, (link, label, target) =>
        target.startsWith('../') ? label : link,
      ),
    );
  }
}

/** MkDocs only mentions them, without a warning. */
function pagesOutsideOfNav(folder) {
  const configuration = readFileSync(join(folder, 'mkdocs.yml'), 'utf8');
  return readdirSync(join(folder, 'docs')).filter(
    name => name.endsWith('.md') && !configuration.includes(`: ${name}\n`),
  );
}
