CREATE TABLE "staff_invitations" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"title" text,
	"rights" text[] NOT NULL,
	"preset" text,
	"class_ids" uuid[],
	"starts_on" date,
	"ends_on" date,
	"student_id" uuid,
	"agreed_guardian_id" uuid,
	"invited_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "staff_invitations_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "staff_invitations_token" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "staff_invitations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_rules" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"refuses_own_family" boolean,
	"max_recipients" integer DEFAULT 50 NOT NULL,
	CONSTRAINT "staff_rules_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "staff_rules" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "agreed_guardian_id" uuid;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "agreed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "staff_invitations" ADD CONSTRAINT "staff_invitations_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_rules" ADD CONSTRAINT "staff_rules_dojo" FOREIGN KEY ("dojo_id") REFERENCES "public"."dojos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "staff_invitations_of_student" ON "staff_invitations" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "staff_invitations_oldest" ON "staff_invitations" USING btree ("expires_at","dojo_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "staff_invitations" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "staff_invitations" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "staff_rules" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "staff_rules" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);