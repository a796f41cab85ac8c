import type { Knex } from 'knex';

/** Names of ManagedServiceAccounts, by the namespace of an Argo CD. */
export type ImportAccounts = Readonly<Record<string, readonly string[]>>;

/** Which ManagedServiceAccounts were in use on a hub when they were first limited. Rejects if the database fails. */
export interface ImportAccountStore {
  /** Undefined where nothing was recorded yet. */
  accounts(hub: string): Promise<ImportAccounts | undefined>;
  /** Records them, once and for all: answers with what another replica recorded before. */
  record(hub: string, accounts: ImportAccounts): Promise<ImportAccounts>;
}

/** Creates the store; the database must be migrated. */
export function createImportAccountStore(knex: Knex): ImportAccountStore {
  async function read(hub: string): Promise<ImportAccounts | undefined> {
    const row = await knex('import_accounts').where({ hub }).first();
    return row && JSON.parse(row.accounts);
  }
  return {
    accounts: read,
    async record(hub, accounts) {
      await knex('import_accounts')
        .insert({
          hub,
          accounts: JSON.stringify(accounts),
          recorded_at: Date.now(),
        })
        .onConflict('hub')
        .ignore();
      return (await read(hub)) ?? accounts;
    },
  };
}

/** A store without a database. */
export function createMemoryImportAccountStore(): ImportAccountStore {
  const recorded = new Map<string, ImportAccounts>();
  return {
    accounts: async hub => recorded.get(hub),
    async record(hub, accounts) {
      const known = recorded.get(hub) ?? accounts;
      recorded.set(hub, known);
      return known;
    },
  };
}
