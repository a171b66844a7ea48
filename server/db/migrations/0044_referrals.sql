CREATE TABLE "referral_links" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"code" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "referral_links_dojo_id_student_id_pk" PRIMARY KEY("dojo_id","student_id")
);
--> statement-breakpoint
ALTER TABLE "referral_links" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "referred_by" uuid;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "referral_told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "referral_links" ADD CONSTRAINT "referral_links_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "referral_links_code" ON "referral_links" USING btree ("code");--> statement-breakpoint
CREATE INDEX "leads_referred" ON "leads" USING btree ("dojo_id") WHERE referred_by is not null and referral_told_at is null;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "referral_links" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "referral_links" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);