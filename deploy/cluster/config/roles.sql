-- The statements that docs/OPERATIONS.md asks a superuser to run once. Here, tatami_app also has a
-- login of its own.
create role tatami login password '${tatamiPassword}';
create role tatami_owner nologin;
create role tatami_overseer nologin;
create role tatami_app login noinherit password '${appPassword}';
create role tatami_own_classes nologin;
grant tatami_overseer, tatami_own_classes to tatami_app;
grant tatami_owner, tatami_app, tatami_overseer, tatami_own_classes to tatami;
