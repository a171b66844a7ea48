-- Run these statements in the database tatami, after roles.sql.
grant connect, create on database tatami to tatami_owner;
grant connect on database tatami to tatami_app;
grant usage, create on schema public to tatami_owner;
grant usage on schema public to tatami_app, tatami_overseer, tatami_own_classes;
