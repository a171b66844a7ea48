-- What docs/OPERATIONS.md has a superuser run once, with tatami_app as a login of its own.
create role tatami login password '${tatamiPassword}';
create role tatami_owner nologin;
create role tatami_overseer nologin;
create role tatami_app login noinherit password '${appPassword}';
grant tatami_overseer to tatami_app;
grant tatami_owner, tatami_app, tatami_overseer to tatami;
