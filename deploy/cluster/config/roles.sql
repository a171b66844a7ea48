-- What docs/OPERATIONS.md asks a superuser to run once, with a separate login for tatami_app.
create role tatami login password '${tatamiPassword}';
create role tatami_owner nologin;
create role tatami_overseer nologin;
create role tatami_app login noinherit password '${appPassword}';
grant tatami_overseer to tatami_app;
grant tatami_owner, tatami_app, tatami_overseer to tatami;
