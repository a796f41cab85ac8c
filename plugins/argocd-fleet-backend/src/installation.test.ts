import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolvePackagePath } from '@backstage/backend-plugin-api';
import { checkInstallation, REQUIRED_FILES } from './installation';

describe('checkInstallation', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-installation-'));
    for (const file of REQUIRED_FILES) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), '');
    }
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('accepts this package', () => {
    expect(() => checkInstallation()).not.toThrow();
  });

  it('knows every migration', async () => {
    const migrations = await readdir(
      resolvePackagePath('backstage-plugin-argocd-fleet-backend', 'migrations'),
    );
    expect(
      REQUIRED_FILES.filter(file => file.startsWith('migrations/')),
    ).toEqual(migrations.sort().map(file => `migrations/${file}`));
  });

  it.each(REQUIRED_FILES)('says what to do without %s', async file => {
    await rm(join(folder, file));
    expect(() => checkInstallation(folder)).toThrow(
      `The installation of backstage-plugin-argocd-fleet-backend in ${folder} is incomplete: ${file} missing. Install the package again`,
    );
  });
});
