CREATE TABLE "text_consents" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"phone" text NOT NULL,
	"event" text NOT NULL,
	"source" text NOT NULL,
	"topics" text[] NOT NULL,
	"given_by" text,
	"wording_version" text,
	"address" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "text_consents_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "text_consents" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "excuses" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"class_id" uuid NOT NULL,
	"class_date" date NOT NULL,
	"source" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "excuses_dojo_id_student_id_class_id_class_date_pk" PRIMARY KEY("dojo_id","student_id","class_id","class_date")
);
--> statement-breakpoint
ALTER TABLE "excuses" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "conversations" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"phone" text NOT NULL,
	"id" uuid NOT NULL,
	"unread" integer DEFAULT 0 NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "conversations_dojo_id_phone_pk" PRIMARY KEY("dojo_id","phone"),
	CONSTRAINT "conversations_id" UNIQUE("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "conversations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "message_templates" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "message_templates_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "message_templates" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "phone_links" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"phone" text NOT NULL,
	"student_id" uuid NOT NULL,
	"holder_name" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "phone_links_dojo_id_phone_student_id_pk" PRIMARY KEY("dojo_id","phone","student_id")
);
--> statement-breakpoint
ALTER TABLE "phone_links" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "reply_actions" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"incoming_id" uuid NOT NULL,
	"command" text NOT NULL,
	"student_id" uuid,
	"class_id" uuid,
	"class_date" date,
	"message_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "reply_actions_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "reply_actions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP INDEX "messages_to_phone";--> statement-breakpoint
ALTER TABLE "messages" ALTER COLUMN "student_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "message_batches" ADD COLUMN "sender_name" text;--> statement-breakpoint
ALTER TABLE "message_settings" ADD COLUMN "out_enabled" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "message_settings" ADD COLUMN "ok_enabled" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "sent_with" uuid;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "is_shared" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "acknowledged_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "excuses" ADD CONSTRAINT "excuses_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "excuses" ADD CONSTRAINT "excuses_class" FOREIGN KEY ("dojo_id","class_id") REFERENCES "public"."classes"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_links" ADD CONSTRAINT "phone_links_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_actions" ADD CONSTRAINT "reply_actions_text" FOREIGN KEY ("dojo_id","incoming_id") REFERENCES "public"."incoming_texts"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_actions" ADD CONSTRAINT "reply_actions_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_actions" ADD CONSTRAINT "reply_actions_class" FOREIGN KEY ("dojo_id","class_id") REFERENCES "public"."classes"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_actions" ADD CONSTRAINT "reply_actions_message" FOREIGN KEY ("dojo_id","message_id") REFERENCES "public"."messages"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "text_consents_of_phone" ON "text_consents" USING btree ("dojo_id","phone","id");--> statement-breakpoint
CREATE INDEX "excuses_of_day" ON "excuses" USING btree ("dojo_id","class_date","class_id");--> statement-breakpoint
CREATE INDEX "excuses_of_class" ON "excuses" USING btree ("dojo_id","class_id");--> statement-breakpoint
CREATE INDEX "conversations_listed" ON "conversations" USING btree ("dojo_id",(unread > 0),"last_at","id");--> statement-breakpoint
CREATE INDEX "phone_links_of_student" ON "phone_links" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "phone_links_of_phone" ON "phone_links" USING btree ("phone","dojo_id");--> statement-breakpoint
CREATE INDEX "reply_actions_of_text" ON "reply_actions" USING btree ("dojo_id","incoming_id");--> statement-breakpoint
CREATE INDEX "reply_actions_of_student" ON "reply_actions" USING btree ("dojo_id","student_id");--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_sent_with" FOREIGN KEY ("dojo_id","sent_with") REFERENCES "public"."messages"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "guardians_phone_ending" ON "guardians" USING btree (right(regexp_replace(phone, '\D', '', 'g'), 7),"dojo_id");--> statement-breakpoint
CREATE INDEX "students_phone_ending" ON "students" USING btree (right(regexp_replace(phone_number, '\D', '', 'g'), 7),"dojo_id");--> statement-breakpoint
CREATE INDEX "incoming_texts_of_phone" ON "incoming_texts" USING btree ("dojo_id","phone","id");--> statement-breakpoint
CREATE INDEX "messages_sharing" ON "messages" USING btree ("dojo_id","sent_with") WHERE sent_with is not null;--> statement-breakpoint
CREATE INDEX "messages_to_phone" ON "messages" USING btree ("phone","dojo_id","id") WHERE sent_with is null and phone is not null;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "text_consents" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "text_consents" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "excuses" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "excuses" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "conversations" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "conversations" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "message_templates" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "message_templates" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "phone_links" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "phone_links" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "reply_actions" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "reply_actions" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
-- Students with one phone share a text: what becomes of it becomes of each student's part in it.
CREATE FUNCTION "copy_state_of_shared_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE messages SET phone = NEW.phone, state = NEW.state, reason = NEW.reason, error_code = NEW.error_code,
      sent_at = NEW.sent_at, updated_at = NEW.updated_at
    WHERE dojo_id = NEW.dojo_id AND sent_with = NEW.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "copy_state_of_shared_text" AFTER UPDATE OF "phone", "state", "reason", "error_code", "sent_at" ON "messages"
  FOR EACH ROW WHEN (NEW.is_shared) EXECUTE FUNCTION copy_state_of_shared_text();--> statement-breakpoint
-- What people wrote before becomes conversations. The owner of a table is bound by its policies otherwise.
ALTER TABLE "incoming_texts" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
INSERT INTO "conversations" ("dojo_id", "phone", "id", "unread", "last_at")
  SELECT dojo_id, phone, (array_agg(id ORDER BY id DESC))[1], count(*) FILTER (WHERE read_at IS NULL), max(received_at)
  FROM incoming_texts WHERE phone ~ '^\+[1-9]\d{6,14}$' GROUP BY dojo_id, phone;--> statement-breakpoint
ALTER TABLE "incoming_texts" FORCE ROW LEVEL SECURITY;
