// @ts-check

/**
 * What decides whether ManifestWorks may be deleted, so that a restart or another replica goes on where the last one was.
 *
 * `wanted_at`, `decided_at` and `ordered_at` are milliseconds since the epoch.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('work_removals', table => {
    table.comment('ManifestWorks that are wanted gone without an order');
    table.string('hub').notNullable();
    table.string('uid').notNullable().comment('Of the ManifestWork');
    table.text('work').notNullable().comment('<namespace>/<name>');
    table
      .text('application')
      .notNullable()
      .comment('<namespace>/<name> of the hub Application');
    table.text('application_set').comment('<namespace>/<name>');
    table.bigInteger('wanted_at').notNullable();
    table.string('state').notNullable().comment('pending, held or allowed');
    table.bigInteger('decided_at');
    table.string('held_for').comment('set or hub');
    table
      .boolean('was_withheld')
      .notNullable()
      .comment('Nothing might be written when it was first wanted gone');
    table.primary(['hub', 'uid']);
  });
  await knex.schema.createTable('work_releases', table => {
    table.comment('What people ordered for ManifestWorks');
    table.string('hub').notNullable();
    table
      .string('owner', 600)
      .notNullable()
      .comment('<kind>/<namespace>/<name> of the annotated object');
    table.string('uid').notNullable().comment('Of the annotated object');
    table.string('release').notNullable();
    table.bigInteger('ordered_at').notNullable();
    table.text('works').notNullable().comment('JSON: UIDs of ManifestWorks');
    table.primary(['hub', 'owner']);
  });
  await knex.schema.createTable('known_application_sets', table => {
    table.comment('UIDs of ApplicationSets that owned Applications');
    table.string('hub').notNullable();
    table.string('application_set', 511).notNullable();
    table.string('uid').notNullable();
    table
      .string('hub_uid')
      .notNullable()
      .comment('Identifies the hub, which may be restored or replaced');
    table
      .boolean('seen')
      .notNullable()
      .comment('Whether the hub had it, or only Applications named it');
    table.primary(['hub', 'application_set', 'uid', 'hub_uid']);
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('known_application_sets');
  await knex.schema.dropTable('work_releases');
  await knex.schema.dropTable('work_removals');
};
