// @ts-check

/**
 * What bounds the history: how many changes of an Application were recorded lately, how many were not, and which
 * transitions are milestones. Beside that, whether the cluster reported at the time of a transition.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('fleet_hubs', table => {
    table
      .bigInteger('history_minute')
      .comment('Of the last transition; minutes since the epoch');
    table
      .bigInteger('in_history_minute')
      .comment('Transitions of the hub in that minute');
  });
  await knex.schema.alterTable('fleet_applications', table => {
    table
      .bigInteger('omitted')
      .notNullable()
      .defaultTo(0)
      .comment('Changes since its last transition that are not recorded');
    table
      .text('history_pace')
      .comment('JSON: what was recorded lately; none before its first');
  });
  await knex.schema.alterTable('fleet_transitions', table => {
    table
      .bigInteger('omitted')
      .notNullable()
      .defaultTo(0)
      .comment('Changes between the previous one and this, not recorded');
    table
      .boolean('milestone')
      .notNullable()
      .defaultTo(false)
      .comment('Among the first of its revision: kept however many follow');
    table
      .boolean('stale')
      .comment('The cluster did not report; unknown in older transitions');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  for (const [table, ...columns] of [
    ['fleet_transitions', 'stale', 'milestone', 'omitted'],
    ['fleet_applications', 'history_pace', 'omitted'],
    ['fleet_hubs', 'in_history_minute', 'history_minute'],
  ]) {
    for (const column of columns) {
      // Raw SQL: on SQLite, knex would recreate the table, and rows that refer to it would be deleted by the cascade.
      await knex.raw('alter table ?? drop column ??', [table, column]);
    }
  }
};
