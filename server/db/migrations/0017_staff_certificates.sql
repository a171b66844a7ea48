CREATE TABLE "certificate_kinds" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"months" smallint NOT NULL,
	"recheck_months" smallint,
	"is_removed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "certificate_kinds_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "certificate_kinds" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_certificates" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"kind_id" uuid NOT NULL,
	"got_on" date NOT NULL,
	"expires_on" date NOT NULL,
	"recheck_on" date,
	"note" text,
	"noticed_day" date,
	"noticed_days_ahead" smallint,
	"removed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "staff_certificates_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "staff_certificates_days" CHECK ("staff_certificates"."got_on" < "staff_certificates"."expires_on"),
	CONSTRAINT "staff_certificates_recheck" CHECK ("staff_certificates"."recheck_on" < "staff_certificates"."expires_on")
);
--> statement-breakpoint
ALTER TABLE "staff_certificates" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "staff_certificates" ADD CONSTRAINT "staff_certificates_staff" FOREIGN KEY ("dojo_id","staff_id") REFERENCES "public"."staff_members"("dojo_id","instructor_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_certificates" ADD CONSTRAINT "staff_certificates_kind" FOREIGN KEY ("dojo_id","kind_id") REFERENCES "public"."certificate_kinds"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "staff_certificates_of_staff" ON "staff_certificates" USING btree ("dojo_id","staff_id","kind_id");--> statement-breakpoint
CREATE INDEX "staff_certificates_by_due_day" ON "staff_certificates" USING btree (coalesce("recheck_on", "expires_on"),"dojo_id");--> statement-breakpoint
CREATE INDEX "staff_certificates_removed" ON "staff_certificates" USING btree ("removed_at","dojo_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "certificate_kinds" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "certificate_kinds" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "staff_certificates" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "staff_certificates" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);