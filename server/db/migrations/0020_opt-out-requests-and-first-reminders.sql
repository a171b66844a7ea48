DROP INDEX "conversations_listed";--> statement-breakpoint
ALTER TABLE "message_settings" ADD COLUMN "reminders_announced_on" date;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "stop_asked_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "conversations_listed" ON "conversations" USING btree ("dojo_id",(stop_asked_at is not null),(unread > 0),"last_at","id");--> statement-breakpoint
-- A dojo whose automatic reminders have gone out already knows them. The owner is exempt from the policies of these tables meanwhile.
ALTER TABLE "message_batches" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "message_settings" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
INSERT INTO "message_settings" ("dojo_id", "reminders_announced_on")
  SELECT "dojo_id", min("created_at")::date FROM "message_batches" WHERE "kind" IN ('pre_due', 'on_due', 'post_due') GROUP BY "dojo_id"
  ON CONFLICT ("dojo_id") DO UPDATE SET "reminders_announced_on" = excluded."reminders_announced_on";--> statement-breakpoint
ALTER TABLE "message_batches" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "message_settings" FORCE ROW LEVEL SECURITY;
