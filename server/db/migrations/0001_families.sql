CREATE TABLE "family_changes" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"guardian_id" uuid NOT NULL,
	"actor_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"undone_at" timestamp with time zone,
	"details" jsonb NOT NULL,
	CONSTRAINT "family_changes_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "family_changes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "guardians" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"phone" text,
	"email" text,
	"language" text,
	"account_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "guardians_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "guardians_account_has_email" CHECK ("guardians"."account_id" is null or ("guardians"."account_id" = "guardians"."id" and "guardians"."email" is not null))
);
--> statement-breakpoint
ALTER TABLE "guardians" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "guardianships" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"guardian_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"relation" text DEFAULT 'guardian' NOT NULL,
	"sees" boolean DEFAULT true NOT NULL,
	"sees_fees" boolean DEFAULT false NOT NULL,
	"gets_texts" boolean DEFAULT true NOT NULL,
	"pays" boolean DEFAULT false NOT NULL,
	"may_edit" boolean DEFAULT false NOT NULL,
	"picks_up" boolean DEFAULT false NOT NULL,
	"emergency_rank" smallint,
	"note" text,
	"since" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"allows_log_in" boolean DEFAULT false NOT NULL,
	"agreed_at" timestamp with time zone,
	"adulthood_announced_at" timestamp with time zone,
	"adulthood_reached_at" timestamp with time zone,
	"closes_log_in" boolean DEFAULT false NOT NULL,
	"log_in_closed_at" timestamp with time zone,
	CONSTRAINT "guardianships_dojo_id_guardian_id_student_id_pk" PRIMARY KEY("dojo_id","guardian_id","student_id"),
	CONSTRAINT "guardianships_not_of_oneself" CHECK ("guardianships"."guardian_id" <> "guardianships"."student_id")
);
--> statement-breakpoint
ALTER TABLE "guardianships" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "log_in_invitations" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"token_hash" text NOT NULL,
	"guardian_id" uuid,
	"student_id" uuid,
	"email" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	CONSTRAINT "log_in_invitations_dojo_id_token_hash_pk" PRIMARY KEY("dojo_id","token_hash"),
	CONSTRAINT "log_in_invitations_for_one" CHECK (num_nonnulls("log_in_invitations"."guardian_id", "log_in_invitations"."student_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "log_in_invitations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "unrelated_students" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"other_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "unrelated_students_dojo_id_student_id_other_id_pk" PRIMARY KEY("dojo_id","student_id","other_id"),
	CONSTRAINT "unrelated_students_in_order" CHECK ("unrelated_students"."student_id" < "unrelated_students"."other_id")
);
--> statement-breakpoint
ALTER TABLE "unrelated_students" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_student_id_accounts_id_fk";
--> statement-breakpoint
ALTER TABLE "incoming_texts" DROP CONSTRAINT "incoming_texts_student_id_accounts_id_fk";
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_student_id_accounts_id_fk";
--> statement-breakpoint
ALTER TABLE "undeliverable_phones" DROP CONSTRAINT "undeliverable_phones_student_id_accounts_id_fk";
--> statement-breakpoint
DROP INDEX "undeliverable_phones_of_student";--> statement-breakpoint
DROP INDEX "notifications_about_student";--> statement-breakpoint
DROP INDEX "incoming_texts_of_student";--> statement-breakpoint
DROP INDEX "messages_of_student";--> statement-breakpoint
ALTER TABLE "students" ALTER COLUMN "email" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "family_changes" ADD CONSTRAINT "family_changes_guardian" FOREIGN KEY ("dojo_id","guardian_id") REFERENCES "public"."guardians"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guardians" ADD CONSTRAINT "guardians_account" FOREIGN KEY ("dojo_id","account_id","email") REFERENCES "public"."accounts"("dojo_id","id","email") ON DELETE set null ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "guardianships" ADD CONSTRAINT "guardianships_guardian" FOREIGN KEY ("dojo_id","guardian_id") REFERENCES "public"."guardians"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guardianships" ADD CONSTRAINT "guardianships_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "log_in_invitations" ADD CONSTRAINT "log_in_invitations_guardian" FOREIGN KEY ("dojo_id","guardian_id") REFERENCES "public"."guardians"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "log_in_invitations" ADD CONSTRAINT "log_in_invitations_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unrelated_students" ADD CONSTRAINT "unrelated_students_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unrelated_students" ADD CONSTRAINT "unrelated_students_other" FOREIGN KEY ("dojo_id","other_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "family_changes_of_guardian" ON "family_changes" USING btree ("dojo_id","guardian_id");--> statement-breakpoint
CREATE INDEX "family_changes_oldest" ON "family_changes" USING btree ("created_at","dojo_id");--> statement-breakpoint
CREATE INDEX "guardians_of_account" ON "guardians" USING btree ("dojo_id","account_id");--> statement-breakpoint
CREATE INDEX "guardianships_of_student" ON "guardianships" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE UNIQUE INDEX "guardianships_payer" ON "guardianships" USING btree ("dojo_id","student_id") WHERE pays and ended_at is null;--> statement-breakpoint
CREATE INDEX "guardianships_closed_log_ins" ON "guardianships" USING btree ("log_in_closed_at","dojo_id") WHERE log_in_closed_at is not null;--> statement-breakpoint
CREATE INDEX "log_in_invitations_of_guardian" ON "log_in_invitations" USING btree ("dojo_id","guardian_id");--> statement-breakpoint
CREATE INDEX "log_in_invitations_of_student" ON "log_in_invitations" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "log_in_invitations_oldest" ON "log_in_invitations" USING btree ("expires_at","dojo_id");--> statement-breakpoint
CREATE INDEX "unrelated_students_of_other" ON "unrelated_students" USING btree ("dojo_id","other_id");--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_texts" ADD CONSTRAINT "incoming_texts_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "undeliverable_phones" ADD CONSTRAINT "undeliverable_phones_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "students_of_age" ON "students" USING btree (((date_of_birth + interval '18 years')::date),"dojo_id");--> statement-breakpoint
CREATE INDEX "notifications_about_student" ON "notifications" USING btree ("dojo_id","student_id") WHERE student_id is not null;--> statement-breakpoint
CREATE INDEX "incoming_texts_of_student" ON "incoming_texts" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "messages_of_student" ON "messages" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "family_changes" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "family_changes" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "guardians" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "guardians" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "guardianships" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "guardianships" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "log_in_invitations" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "log_in_invitations" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "unrelated_students" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "unrelated_students" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
-- From here on written by hand: what drizzle-kit cannot express.
ALTER TABLE "guardians" DROP CONSTRAINT "guardians_account";--> statement-breakpoint
ALTER TABLE "guardians" ADD CONSTRAINT "guardians_account" FOREIGN KEY ("dojo_id","account_id","email") REFERENCES "public"."accounts"("dojo_id","id","email") ON DELETE set null ("account_id") ON UPDATE cascade;--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "guardians" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "guardianships" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();
