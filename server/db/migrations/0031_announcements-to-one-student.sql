ALTER TABLE "notifications" DROP CONSTRAINT "notifications_announcement";
--> statement-breakpoint
ALTER TABLE "announcements" ADD COLUMN "student_id" uuid;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_announcement" FOREIGN KEY ("dojo_id","announcement_id") REFERENCES "public"."announcements"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "announcements_of_student" ON "announcements" USING btree ("dojo_id","student_id") WHERE student_id is not null;--> statement-breakpoint
CREATE INDEX "notifications_of_announcement" ON "notifications" USING btree ("dojo_id","announcement_id") WHERE announcement_id is not null;