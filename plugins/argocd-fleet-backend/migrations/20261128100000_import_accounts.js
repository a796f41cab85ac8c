// @ts-check

/**
 * The ManagedServiceAccounts whose tokens each Argo CD of a hub already had when these were first limited: what the
 * configuration does not say of an Argo CD namespace is decided by them.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('import_accounts', table => {
    table.string('hub', 63).primary();
    table
      .text('accounts')
      .notNullable()
      .comment('JSON: names of accounts, by the namespace of an Argo CD');
    table
      .bigInteger('recorded_at')
      .notNullable()
      .comment('Milliseconds since the epoch');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('import_accounts');
};
