CREATE TABLE "allowance_days" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "allowance_days_dojo_id_day_pk" PRIMARY KEY("dojo_id","day")
);
--> statement-breakpoint
ALTER TABLE "allowance_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "allowance_days" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "allowance_lines" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"day" date NOT NULL,
	"texts" integer NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "allowance_lines_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "allowance_lines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "allowance_lines" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "bad_phones" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"phone" text NOT NULL,
	"error_code" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bad_phones_dojo_id_student_id_phone_pk" PRIMARY KEY("dojo_id","student_id","phone")
);
--> statement-breakpoint
ALTER TABLE "bad_phones" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "bad_phones" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "first_answers" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"key" text NOT NULL,
	"asked" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "first_answers_dojo_id_key_pk" PRIMARY KEY("dojo_id","key")
);
--> statement-breakpoint
ALTER TABLE "first_answers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "first_answers" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "incoming_texts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"provider_id" text NOT NULL,
	"student_id" uuid,
	"phone" text NOT NULL,
	"text" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "incoming_texts_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "incoming_texts_once" UNIQUE("dojo_id","provider_id")
);
--> statement-breakpoint
ALTER TABLE "incoming_texts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "incoming_texts" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "message_batches" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"failures_told" boolean DEFAULT false NOT NULL,
	CONSTRAINT "message_batches_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "message_batches" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "message_batches" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "message_settings" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"welcome_message_enabled" boolean DEFAULT false NOT NULL,
	"reminders_enabled" boolean DEFAULT true NOT NULL,
	CONSTRAINT "message_settings_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "message_settings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "message_settings" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "messages" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"phone" text,
	"text" text,
	"state" text NOT NULL,
	"reason" text,
	"error_code" integer,
	"due_at" timestamp with time zone,
	"claim" uuid,
	"claimed_at" timestamp with time zone,
	"missed" integer DEFAULT 0 NOT NULL,
	"unanswered" integer DEFAULT 0 NOT NULL,
	"provider_id" text,
	"sent_at" timestamp with time zone,
	"updated_at" timestamp with time zone NOT NULL,
	"allowance_day" date,
	CONSTRAINT "messages_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "messages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "messages" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "phone_opt_outs" (
	"phone" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"dojo_id" uuid,
	"message_id" uuid,
	"status" text,
	"error_code" integer,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sending_pace" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"last_dojo_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "simulated_texts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"id" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	CONSTRAINT "simulated_texts_dojo_id_message_id_pk" PRIMARY KEY("dojo_id","message_id"),
	CONSTRAINT "simulated_texts_id" UNIQUE("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "simulated_texts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "simulated_texts" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "bad_phones" ADD CONSTRAINT "bad_phones_student_id_accounts_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_texts" ADD CONSTRAINT "incoming_texts_student_id_accounts_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_student_id_accounts_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_batch" FOREIGN KEY ("dojo_id","batch_id") REFERENCES "public"."message_batches"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "simulated_texts" ADD CONSTRAINT "simulated_texts_message" FOREIGN KEY ("dojo_id","message_id") REFERENCES "public"."messages"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "allowance_lines_of_day" ON "allowance_lines" USING btree ("dojo_id","day");--> statement-breakpoint
CREATE INDEX "bad_phones_of_student" ON "bad_phones" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "incoming_texts_of_student" ON "incoming_texts" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "messages_of_batch" ON "messages" USING btree ("dojo_id","batch_id");--> statement-breakpoint
CREATE INDEX "messages_of_student" ON "messages" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "messages_due" ON "messages" USING btree ("state","dojo_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "messages_failed" ON "messages" USING btree ("dojo_id","batch_id") WHERE state in ('failed', 'undelivered', 'uncertain');--> statement-breakpoint
CREATE INDEX "messages_to_phone" ON "messages" USING btree ("phone","sent_at") WHERE sent_at is not null;--> statement-breakpoint
CREATE POLICY "only_this_dojo" ON "allowance_days" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "allowance_days" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "only_this_dojo" ON "allowance_lines" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "allowance_lines" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "only_this_dojo" ON "bad_phones" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "bad_phones" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "only_this_dojo" ON "first_answers" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "first_answers" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "only_this_dojo" ON "incoming_texts" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "incoming_texts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "only_this_dojo" ON "message_batches" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "message_batches" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "only_this_dojo" ON "message_settings" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "message_settings" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "only_this_dojo" ON "messages" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "messages" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "only_this_dojo" ON "simulated_texts" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "simulated_texts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
INSERT INTO "system_config" DEFAULT VALUES ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO "sending_pace" ("next_at", "last_dojo_id") VALUES (now(), '00000000-0000-0000-0000-000000000000');
