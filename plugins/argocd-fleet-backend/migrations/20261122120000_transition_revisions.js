// @ts-check

/**
 * The revision of each source of an Application with several sources, and an index in the order in which history is
 * removed.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  for (const name of ['fleet_applications', 'fleet_transitions']) {
    await knex.schema.alterTable(name, table => {
      table
        .text('revisions')
        .comment('JSON: of each source, where there are several');
    });
  }
  await knex.schema.alterTable('fleet_transitions', table => {
    table.dropIndex(['at'], 'fleet_transitions_at_idx');
    table.index(['at', 'id'], 'fleet_transitions_at_id_idx');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.alterTable('fleet_transitions', table => {
    table.dropIndex(['at', 'id'], 'fleet_transitions_at_id_idx');
    table.index(['at'], 'fleet_transitions_at_idx');
  });
  for (const name of ['fleet_applications', 'fleet_transitions']) {
    // Raw SQL: on SQLite, knex would recreate the table, and rows that refer to it would be deleted by the cascade.
    await knex.raw('alter table ?? drop column ??', [name, 'revisions']);
  }
};
