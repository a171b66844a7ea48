CREATE TABLE "notification_students" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"notification_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"amount" bigint,
	CONSTRAINT "notification_students_dojo_id_notification_id_student_id_pk" PRIMARY KEY("dojo_id","notification_id","student_id")
);
--> statement-breakpoint
ALTER TABLE "notification_students" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "template" text;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "is_about_fees" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_students" ADD CONSTRAINT "notification_students_notification" FOREIGN KEY ("dojo_id","notification_id") REFERENCES "public"."notifications"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_students" ADD CONSTRAINT "notification_students_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_students_of_student" ON "notification_students" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "notification_students" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "notification_students" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);